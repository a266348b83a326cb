import {
  builtinProviders,
  createModelRegistry,
  type Model,
  type ModelChoice,
  matchModel,
  modelName,
} from "@coppice/ai";
import type { OAuthServer } from "@coppice/coding-agent";
import type { CliError } from "./cli-error.ts";
import type { CliEnvironment } from "./env.ts";
import { loadKeys } from "./keys.ts";
import { readModelsFile } from "./models-file.ts";
import type { Places } from "./places.ts";
import { createServerModel, SERVER_PROVIDER, type ServerFlags } from "./server-model.ts";

/** Where models come from, for one run. */
export interface KnownModelsOptions {
  readonly environment: Pick<CliEnvironment, "get" | "keyFor" | "forCommands">;
  readonly places: Pick<Places, "modelsFile" | "authFile" | "userDirectory">;
  /** The server of `--base-url`. */
  readonly server?: ServerFlags | undefined;
  /** Hears of each renewal of a login when it begins; `stored` resolves once what the server gave out is stored. */
  readonly onRenewal: (stored: Promise<void>) => void;
}

/** Every model that a run could use: those of `models.json`, the catalogue, the demo, the server of `--base-url`. */
export interface KnownModels {
  /** Why `models.json` was not read. It stops nothing that does not need the file (fault kind CL-17). */
  readonly fileError: CliError | undefined;
  /** What stands in `models.json` without effect, and why `auth.json` is not used, one line each. */
  readonly fileNotices: readonly string[];
  /** Names of the variables that hold keys. */
  readonly keyVariables: readonly string[];
  /** Providers whose models the user declared, in the order of the file. */
  readonly ownProviders: readonly string[];
  /** Provider → where people log in with it, for those that say so. */
  readonly logins: ReadonlyMap<string, OAuthServer>;
  /** Models of one provider, or of all; the catalogue is read only as far as asked for. */
  list(provider?: string): Promise<readonly Model[]>;
  /** The model that a pattern names, among those that can be used where one matches. Throws `ProviderError`. */
  find(pattern: string): Promise<ModelChoice>;
  /** Whether the model's wire format is spoken here. */
  isSpoken(model: Model): boolean;
  /** Whether the model can be asked: its format is spoken, and its provider has a key or needs none. */
  isUsable(model: Model): boolean;
  /** The key of a provider; undefined = none. Throws `CliError` `no_key` when its variable is not set. */
  keyFor(provider: string): Promise<string | undefined>;
}

/** Loads what is known about models: reads `models.json`, no network. */
export async function loadKnownModels(options: KnownModelsOptions): Promise<KnownModels> {
  const { environment, places, server, onRenewal } = options;
  const [{ file, error }, { DEMO_MODEL }] = await Promise.all([
    readModelsFile(places.modelsFile),
    import("@coppice/coding-agent/demo"),
  ]);
  const { authFile, userDirectory } = places;
  const keys = await loadKeys({
    environment,
    authFile,
    userDirectory,
    declared: file.keys,
    logins: file.logins,
    onRenewal,
  });
  const registry = createModelRegistry({ providers: file.providers });
  const serverModels = server === undefined ? [] : [createServerModel(server)];

  const isSpoken = (model: Model) =>
    model.api === DEMO_MODEL.api || Object.hasOwn(builtinProviders, model.api);
  const isUsable = (model: Model) =>
    isSpoken(model) && (model.provider === DEMO_MODEL.provider || keys.has(model.provider));
  const list = async (provider?: string): Promise<readonly Model[]> => {
    if (provider === SERVER_PROVIDER) return serverModels;
    if (provider === DEMO_MODEL.provider) return [DEMO_MODEL];
    if (provider !== undefined) return registry.list(provider);
    return [...serverModels, ...(await registry.list()), DEMO_MODEL];
  };
  return {
    fileError: error,
    fileNotices: [...file.notices, ...(keys.notice === undefined ? [] : [keys.notice])],
    keyVariables: keys.variables,
    ownProviders: Object.keys(file.providers).filter(
      (name) => (file.providers[name]?.models ?? []).length > 0,
    ),
    logins: file.logins,
    list,
    isSpoken,
    isUsable,
    async find(pattern) {
      // The server was named together with its model; the demo is known without reading the catalogue.
      const exact = [...serverModels, DEMO_MODEL].find((model) => model.id === pattern);
      if (exact !== undefined) return { model: exact };
      // A whole name needs the models of its provider only, and those of the catalogue are many.
      const name = pattern.trim();
      const siblings = name.includes("/") ? await list(name.slice(0, name.indexOf("/"))) : [];
      const [own, ...doubles] = siblings.filter((model) => modelName(model) === name);
      if (own !== undefined && doubles.length === 0 && isUsable(own)) return { model: own };
      const models = await list();
      const usable = models.filter(isUsable);
      return usable.length > 0 ? matchAmong(pattern, usable, models) : matchModel(pattern, models);
    },
    keyFor: keys.keyFor,
  };
}

/** A model that can be used is meant before one that cannot; names the closest of all when none matches. */
function matchAmong(pattern: string, usable: readonly Model[], all: readonly Model[]): ModelChoice {
  try {
    return matchModel(pattern, usable);
  } catch (error) {
    const isMiss = error instanceof Error && "code" in error && error.code === "unknown_model";
    if (!isMiss) throw error;
    return matchModel(pattern, all);
  }
}
