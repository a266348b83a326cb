import type { Model } from "@coppice/ai";
import { CliError } from "./cli-error.ts";

/** Window of a model that says nothing about it, in tokens. */
export const DEFAULT_CONTEXT_WINDOW = 128_000;

/** Largest answer of a model that says nothing about it, in tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;

/** How the key of an own provider is found: not at all, in the file, or in a variable. */
export type KeySource =
  | { readonly kind: "none" }
  | { readonly kind: "literal"; readonly key: string }
  | { readonly kind: "variable"; readonly name: string };

/** What `models.json` declares. */
export interface ModelsFile {
  readonly models: readonly Model[];
  /** Provider → where its key comes from. A provider declared here uses this and nothing else. */
  readonly keys: ReadonlyMap<string, KeySource>;
}

export const EMPTY_MODELS_FILE: ModelsFile = { models: [], keys: new Map() };

/**
 * Reads the text of a `models.json`: `{"providers": {NAME: {baseUrl, api, apiKey?, headers?, models: [{id, …}]}}}`.
 *
 * `path` is named in errors. Throws `CliError` `invalid_config` with the place inside the file.
 */
export function parseModelsFile(text: string, path: string): ModelsFile {
  const root = new Place(parseJson(text, path), path, "");
  const models: Model[] = [];
  const keys = new Map<string, KeySource>();
  for (const [name, provider] of root.field("providers").entries()) {
    keys.set(name, keySource(provider.field("apiKey").text(undefined)));
    for (const model of provider.field("models").items()) models.push(readModel(name, provider, model));
  }
  return { models, keys };
}

/** `$NAME` and `${NAME}` name a variable; anything else is the key itself. */
function keySource(value: string | undefined): KeySource {
  if (value === undefined || value === "") return { kind: "none" };
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value);
  const name = variable?.[1] ?? variable?.[2];
  return name === undefined ? { kind: "literal", key: value } : { kind: "variable", name };
}

function readModel(providerName: string, provider: Place, model: Place): Model {
  const id = model.field("id").text();
  const cost = model.field("cost");
  const headers = provider.field("headers").texts();
  const images = model.field("images").flag(false);
  return {
    id,
    name: model.field("name").text(id),
    provider: providerName,
    api: model.field("api").text(provider.field("api").text("openai-completions")),
    baseUrl: provider.field("baseUrl").url(),
    reasoning: model.field("reasoning").flag(false),
    input: images ? ["text", "image"] : ["text"],
    contextWindow: model.field("contextWindow").tokens(DEFAULT_CONTEXT_WINDOW),
    maxTokens: model.field("maxTokens").tokens(DEFAULT_MAX_OUTPUT_TOKENS),
    cost: {
      input: cost.field("input").price(),
      output: cost.field("output").price(),
      cacheRead: cost.field("cacheRead").price(),
      cacheWrite: cost.field("cacheWrite").price(),
    },
    ...(headers === undefined ? {} : { headers }),
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError("invalid_config", `${path} is not JSON: ${reason}`, { cause: error });
  }
}

/** A value inside the file that knows where it stands, so that every complaint names the place. */
class Place {
  readonly #value: unknown;
  readonly #file: string;
  readonly #at: string;

  constructor(value: unknown, file: string, at: string) {
    this.#value = value;
    this.#file = file;
    this.#at = at;
  }

  field(name: string): Place {
    const fields = this.#fields();
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return new Place(value, this.#file, this.#at === "" ? name : `${this.#at}.${name}`);
  }

  entries(): (readonly [string, Place])[] {
    return Object.keys(this.#fields()).map((name) => [name, this.field(name)] as const);
  }

  items(): Place[] {
    if (!Array.isArray(this.#value)) throw this.#wrong("a list");
    return this.#value.map((item, index) => new Place(item, this.#file, `${this.#at}[${index}]`));
  }

  /** A text; without a fallback it must be there and not be empty. */
  text(): string;
  text<Fallback extends string | undefined>(fallback: Fallback): string | Fallback;
  text(...fallback: [] | [string | undefined]): string | undefined {
    if (this.#value === undefined && fallback.length === 1) return fallback[0];
    if (typeof this.#value !== "string" || this.#value === "") throw this.#wrong("a text");
    return this.#value;
  }

  texts(): Readonly<Record<string, string>> | undefined {
    if (this.#value === undefined) return undefined;
    return Object.fromEntries(this.entries().map(([name, place]) => [name, place.text()]));
  }

  url(): string {
    const text = this.text();
    if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) throw this.#wrong("an http or https address");
    return text;
  }

  flag(fallback: boolean): boolean {
    if (this.#value === undefined) return fallback;
    if (typeof this.#value !== "boolean") throw this.#wrong("true or false");
    return this.#value;
  }

  tokens(fallback: number): number {
    if (this.#value === undefined) return fallback;
    if (!Number.isSafeInteger(this.#value) || Number(this.#value) <= 0) {
      throw this.#wrong("a whole number of tokens above 0");
    }
    return Number(this.#value);
  }

  /** USD per million tokens; absent = 0. */
  price(): number {
    if (this.#value === undefined) return 0;
    if (typeof this.#value !== "number" || this.#value < 0) throw this.#wrong("a price of 0 or more");
    return this.#value;
  }

  #fields(): Readonly<Record<string, unknown>> {
    if (this.#value === undefined) return {};
    if (typeof this.#value !== "object" || this.#value === null || Array.isArray(this.#value)) {
      throw this.#wrong("an object");
    }
    return this.#value as Readonly<Record<string, unknown>>;
  }

  #wrong(expected: string): CliError {
    const where = this.#at === "" ? "the file" : this.#at;
    const found = this.#value === undefined ? "missing" : JSON.stringify(this.#value);
    return new CliError("invalid_config", `${this.#file}: ${where} must be ${expected}, but is ${found}`);
  }
}
