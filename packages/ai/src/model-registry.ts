import type { Model } from "./model.ts";
import { type ModelChoice, matchModel } from "./model-pattern.ts";
import { ProviderError } from "./provider-error.ts";
import { vendors } from "./vendors/vendors.ts";

/** A model as a user writes it down: only the id is needed, the rest has defaults. */
export type UserModel = Pick<Model, "id"> & Partial<Omit<Model, "id" | "provider">>;

/** What a user says of a provider: new ones need `baseUrl`, known ones take changes and more models. */
export interface UserProvider {
  readonly api?: string;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly quirks?: Readonly<Record<string, unknown>>;
  readonly models?: readonly UserModel[];
  /** Changes to known models, by id. */
  readonly modelOverrides?: Readonly<Record<string, Partial<Omit<Model, "id" | "provider">>>>;
}

export interface ModelRegistryOptions {
  readonly providers?: Readonly<Record<string, UserProvider>>;
  /** False to know only the user's models. */
  readonly catalogue?: boolean;
}

export interface ModelRegistry {
  /** Known providers, the catalogue's first. */
  providers(): Promise<readonly string[]>;
  /** Models of one provider or of all; the catalogue loads when first asked for, per provider. */
  list(provider?: string): Promise<readonly Model[]>;
  /** The model a name means (`matchModel`); `among` narrows the choice, for example to providers with a key. */
  find(name: string, options?: { readonly among?: (model: Model) => boolean }): Promise<ModelChoice>;
}

/** What a user's model is taken for where its entry is silent. */
const USER_MODEL_DEFAULTS = {
  api: "openai-completions",
  reasoning: false,
  input: ["text"],
  contextWindow: 128_000,
  maxTokens: 16_384,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
} as const;

/** The models of the catalogue and of the user: the user's fields win, model by model. */
export function createModelRegistry(options: ModelRegistryOptions = {}): ModelRegistry {
  const users = options.providers ?? {};
  const cache = new Map<string, Promise<readonly Model[]>>();

  const known = options.catalogue === false ? {} : vendors;
  const load = async (provider: string): Promise<readonly Model[]> => {
    const vendor = Object.hasOwn(known, provider) ? known[provider] : undefined;
    const entries = (await vendor?.load())?.models ?? [];
    const user = Object.hasOwn(users, provider) ? users[provider] : undefined;
    return mergeModels(
      provider,
      entries.map((entry) => ({ ...entry, provider })),
      user,
    );
  };
  const providers = async () => [...new Set([...Object.keys(known), ...Object.keys(users)])];
  const list = async (provider?: string): Promise<readonly Model[]> => {
    if (provider === undefined)
      return (await Promise.all((await providers()).map((name) => list(name)))).flat();
    const models = cache.get(provider) ?? load(provider);
    cache.set(provider, models);
    return models;
  };
  return {
    providers,
    list,
    find: async (name, { among } = {}) => {
      const models = await list();
      const preferred = among === undefined ? models : models.filter(among);
      try {
        return matchModel(name, preferred);
      } catch (error) {
        // A model that exists but is not among the preferred ones is still better than none.
        const isMiss = error instanceof ProviderError && error.code === "unknown_model";
        if (!isMiss || among === undefined) throw error;
        return matchModel(name, models);
      }
    },
  };
}

/** Known models of a provider with a user's changes and additions. Pure. */
export function mergeModels(
  provider: string,
  known: readonly Model[],
  user: UserProvider | undefined,
): readonly Model[] {
  if (user === undefined) return known;
  const merged = new Map(
    known.map((model) => [model.id, overlay(overlay(model, shared(user)), user.modelOverrides?.[model.id])]),
  );
  for (const entry of user.models ?? []) merged.set(entry.id, userModel(provider, entry, user, merged));
  return [...merged.values()];
}

function userModel(
  provider: string,
  entry: UserModel,
  user: UserProvider,
  merged: ReadonlyMap<string, Model>,
): Model {
  const sibling = merged.values().next().value;
  const base: Model = merged.get(entry.id) ?? {
    ...USER_MODEL_DEFAULTS,
    id: entry.id,
    name: entry.id,
    provider,
    api: user.api ?? sibling?.api ?? USER_MODEL_DEFAULTS.api,
    baseUrl: user.baseUrl ?? sibling?.baseUrl ?? "",
    ...(user.headers === undefined ? {} : { headers: user.headers }),
    ...(user.quirks === undefined ? {} : { quirks: user.quirks }),
  };
  const model = overlay(base, entry);
  if (model.baseUrl === "") {
    throw new ProviderError({
      code: "unknown_provider",
      message: `The provider "${provider}" of the model "${entry.id}" has no baseUrl. Add one.`,
    });
  }
  return model;
}

function shared(user: UserProvider): Partial<Model> {
  const { api, baseUrl, headers, quirks } = user;
  return {
    ...(api === undefined ? {} : { api }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(headers === undefined ? {} : { headers }),
    ...(quirks === undefined ? {} : { quirks }),
  };
}

/** Fields given replace; headers, quirks, levels, image limits and cost merge. */
function overlay(model: Model, changes: Partial<Model> | undefined): Model {
  if (changes === undefined) return model;
  const { headers, quirks, thinkingLevels, imageLimits, cost, ...rest } = changes;
  return {
    ...model,
    ...rest,
    cost: { ...model.cost, ...cost },
    ...(headers === undefined ? {} : { headers: { ...model.headers, ...headers } }),
    ...(quirks === undefined ? {} : { quirks: { ...model.quirks, ...quirks } }),
    ...(imageLimits === undefined ? {} : { imageLimits: { ...model.imageLimits, ...imageLimits } }),
    ...(thinkingLevels === undefined
      ? {}
      : { thinkingLevels: { ...model.thinkingLevels, ...thinkingLevels } }),
  };
}
