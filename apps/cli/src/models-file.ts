import { readFile } from "node:fs/promises";
import type { InputKind, Model, ModelCost, Prices, UserModel, UserProvider } from "@coppice/ai";
import { CliError } from "./cli-error.ts";
import { ConfigPlace } from "./config-place.ts";
import { keyVariablesOf } from "./env.ts";

/** How the key of a declared provider is found: not at all, in the file, or in a variable. */
export type KeySource =
  | { readonly kind: "none" }
  | { readonly kind: "literal"; readonly key: string }
  | { readonly kind: "variable"; readonly name: string };

/** What `models.json` declares. */
export interface ModelsFile {
  readonly providers: Readonly<Record<string, UserProvider>>;
  /** Provider → where its key comes from, for those with an address or a key of their own. */
  readonly keys: ReadonlyMap<string, KeySource>;
  /** What stands in the file without effect, one line each. */
  readonly notices: readonly string[];
}

/** The file and why it could not be read; a broken file declares nothing and stops nothing (fault kind CL-17). */
export interface LoadedModelsFile {
  readonly file: ModelsFile;
  readonly error: CliError | undefined;
}

const EMPTY: ModelsFile = { providers: {}, keys: new Map(), notices: [] };

const FILE_FIELDS = ["providers", "$schema"] as const;
const PROVIDER_FIELDS = [
  "baseUrl",
  "api",
  "apiKey",
  "headers",
  "quirks",
  "models",
  "modelOverrides",
] as const;
const MODEL_FIELDS = [
  ...["name", "api", "baseUrl", "reasoning", "input", "images", "contextWindow", "maxTokens"],
  ...["cost", "thinkingLevels", "headers", "quirks"],
] as const;
const PRICE_FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;
const COST_FIELDS = [...PRICE_FIELDS, "tiers"] as const;
const TIER_FIELDS = [...PRICE_FIELDS, "inputTokensAbove"] as const;

/** Reads `models.json`; a missing file declares nothing. */
export async function readModelsFile(path: string): Promise<LoadedModelsFile> {
  try {
    return { file: parseModelsFile(await readFile(path, "utf8"), path), error: undefined };
  } catch (error) {
    if (error instanceof CliError) return { file: EMPTY, error };
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { file: EMPTY, error: undefined };
    }
    const reason = error instanceof Error ? error.message : String(error);
    const failure = new CliError("invalid_config", `${path} cannot be read: ${reason}`, { cause: error });
    return { file: EMPTY, error: failure };
  }
}

/**
 * Understands the text of a `models.json`: `{"providers": {NAME: {baseUrl, api?, apiKey?, headers?, models: [{id, …}]}}}`.
 *
 * A built-in provider may go without `baseUrl`. A field that is not known is a notice: the file may be written for a
 * newer version. `path` is named in errors. Throws `CliError` `invalid_config`.
 */
export function parseModelsFile(text: string, path: string): ModelsFile {
  const providers: Record<string, UserProvider> = {};
  const keys = new Map<string, KeySource>();
  const file = ConfigPlace.parse(text, path);
  const notices = [...file.unknownFields(FILE_FIELDS)];
  for (const [name, place] of file.field("providers").entries()) {
    providers[name] = readProvider(place, keyVariablesOf(name).length > 0);
    const apiKey = place.field("apiKey").text();
    // An address of its own must not be sent the vendor's key from the environment (fault B253).
    if (apiKey !== undefined || !place.field("baseUrl").isMissing) keys.set(name, keySource(apiKey));
    notices.push(...unknownFieldsOf(place));
  }
  return { providers, keys, notices };
}

/** A misspelt field would otherwise be found only by what it does not do. */
function unknownFieldsOf(provider: ConfigPlace): readonly string[] {
  const overrides = provider.field("modelOverrides");
  const models = provider.field("models").items();
  return [
    ...provider.unknownFields(PROVIDER_FIELDS),
    ...models.flatMap((model) => model.unknownFields(["id", ...MODEL_FIELDS])),
    ...overrides.entries().flatMap(([, model]) => model.unknownFields(MODEL_FIELDS)),
    ...[...models, ...overrides.entries().map(([, model]) => model)].flatMap((model) => [
      ...model.field("cost").unknownFields(COST_FIELDS),
      ...model
        .field("cost")
        .field("tiers")
        .items()
        .flatMap((tier) => tier.unknownFields(TIER_FIELDS)),
    ]),
  ];
}

/** `$NAME` and `${NAME}` name a variable; anything else is the key itself. */
function keySource(value: string | undefined): KeySource {
  if (value === undefined) return { kind: "none" };
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value);
  const name = variable?.[1] ?? variable?.[2];
  return name === undefined ? { kind: "literal", key: value } : { kind: "variable", name };
}

function readProvider(place: ConfigPlace, isBuiltIn: boolean): UserProvider {
  const baseUrl = place.field("baseUrl");
  const overrides = place.field("modelOverrides");
  return given<UserProvider>({
    baseUrl: isBuiltIn ? baseUrl.url() : baseUrl.requiredUrl(),
    api: place.field("api").text(),
    headers: place.field("headers").texts(),
    quirks: place.field("quirks").record(),
    models: place
      .field("models")
      .items()
      .map((model): UserModel => ({ id: model.field("id").requiredText(), ...readModel(model) })),
    modelOverrides: overrides.isMissing
      ? undefined
      : Object.fromEntries(overrides.entries().map(([id, model]) => [id, readModel(model)])),
  });
}

function readModel(place: ConfigPlace): Partial<Omit<Model, "id" | "provider">> {
  const cost = place.field("cost");
  return given<Partial<Omit<Model, "id" | "provider">>>({
    name: place.field("name").text(),
    api: place.field("api").text(),
    baseUrl: place.field("baseUrl").url(),
    reasoning: place.field("reasoning").flag(),
    input: readInput(place),
    contextWindow: place.field("contextWindow").tokens(),
    maxTokens: place.field("maxTokens").tokens(),
    headers: place.field("headers").texts(),
    quirks: place.field("quirks").record(),
    thinkingLevels: readThinkingLevels(place.field("thinkingLevels")),
    cost: cost.isMissing ? undefined : readCost(cost),
  });
}

function readCost(place: ConfigPlace): ModelCost {
  const tiers = place
    .field("tiers")
    .items()
    .map((tier) => ({
      ...readPrices(tier),
      inputTokensAbove: tier.field("inputTokensAbove").requiredTokens(),
    }));
  return { ...readPrices(place), ...(tiers.length === 0 ? {} : { tiers }) };
}

function readPrices(place: ConfigPlace): Prices {
  return {
    input: place.field("input").price() ?? 0,
    output: place.field("output").price() ?? 0,
    cacheRead: place.field("cacheRead").price() ?? 0,
    cacheWrite: place.field("cacheWrite").price() ?? 0,
  };
}

/** `images: true` says in short what `input` spells out; `input` wins. */
function readInput(place: ConfigPlace): readonly InputKind[] | undefined {
  const input = place.field("input");
  if (!input.isMissing) return input.items().map((kind) => kind.oneOf(["text", "image"]));
  const images = place.field("images").flag();
  if (images === undefined) return undefined;
  return images ? ["text", "image"] : ["text"];
}

/** Level → the server's own word; null = the level is not supported. */
function readThinkingLevels(place: ConfigPlace): Model["thinkingLevels"] {
  if (place.isMissing) return undefined;
  return Object.fromEntries(place.entries().map(([level, word]) => [level, word.textOrNull()]));
}

/** The fields that are not undefined. */
function given<Fields extends object>(
  fields: { readonly [Name in keyof Fields]: Fields[Name] | undefined },
): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
