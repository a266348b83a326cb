import { readFile } from "node:fs/promises";
import type { Model } from "@coppice/ai";
import { loadCatalogue } from "./catalogue.ts";
import { CliError } from "./cli-error.ts";
import { type CliEnvironment, CUSTOM_KEY_VARIABLE } from "./env.ts";
import { matchModel } from "./match-model.ts";
import { EMPTY_MODELS_FILE, type KeySource, type ModelsFile, parseModelsFile } from "./models-file.ts";
import { createServerModel, SERVER_PROVIDER, type ServerFlags } from "./server-model.ts";

/** Where models come from, for one run. */
export interface KnownModelsOptions {
  readonly environment: Pick<CliEnvironment, "get" | "keyFor">;
  /** Path of `models.json`. */
  readonly modelsFile: string;
  /** The server of `--base-url`. */
  readonly server?: ServerFlags | undefined;
}

/** Every model that a run could use: those of `models.json`, the catalogue, the demo, the server of `--base-url`. */
export interface KnownModels {
  /** Own models first, then the catalogue, then the demo. */
  readonly models: readonly Model[];
  /** Why `models.json` was not read. It stops nothing that does not need the file (fault kind CL-17). */
  readonly fileError: CliError | undefined;
  /** Names of the variables that hold keys of `models.json`. */
  readonly keyVariables: readonly string[];
  /** The model that a pattern names. Throws `CliError` `unknown_model`. */
  find(pattern: string): Model;
  /** Whether the user declared the model: in `models.json` or by `--base-url`. */
  isOwn(model: Model): boolean;
  /** Whether the model's provider has a key, or needs none. */
  isUsable(model: Model): boolean;
  /** The key of a provider; undefined = none. Throws `CliError` `no_key` when its variable is not set. */
  keyFor(provider: string): string | undefined;
}

/** Loads what is known about models: reads `models.json`, no network. */
export async function loadKnownModels(options: KnownModelsOptions): Promise<KnownModels> {
  const { environment, server } = options;
  const [{ file, error }, catalogue, { DEMO_MODEL }] = await Promise.all([
    readModelsFile(options.modelsFile),
    loadCatalogue(),
    import("@coppice/coding-agent/demo"),
  ]);
  const own = server === undefined ? file.models : [createServerModel(server), ...file.models];
  // A provider that the user declares replaces the built-in one of that name, keys included (fault B253).
  const builtIn = catalogue.filter((model) => !file.keys.has(model.provider));
  const models = [...own, ...builtIn, DEMO_MODEL];

  const keySource = (provider: string): KeySource | undefined =>
    provider === SERVER_PROVIDER ? { kind: "variable", name: CUSTOM_KEY_VARIABLE } : file.keys.get(provider);
  const isUsable = (model: Model): boolean => {
    if (model.provider === SERVER_PROVIDER || model.provider === DEMO_MODEL.provider) return true;
    const source = keySource(model.provider);
    if (source === undefined) return environment.keyFor(model.provider) !== undefined;
    return source.kind !== "variable" || environment.get(source.name) !== undefined;
  };
  return {
    models,
    fileError: error,
    keyVariables: [...file.keys.values()].flatMap((source) =>
      source.kind === "variable" ? [source.name] : [],
    ),
    isOwn: (model) => own.includes(model),
    isUsable,
    find: (pattern) => matchModel(pattern, { models, isUsable }),
    keyFor(provider) {
      const source = keySource(provider);
      if (source === undefined) return environment.keyFor(provider);
      return keyFromSource(source, provider, environment);
    },
  };
}

function keyFromSource(
  source: KeySource,
  provider: string,
  environment: Pick<CliEnvironment, "get">,
): string | undefined {
  if (source.kind === "none") return undefined;
  if (source.kind === "literal") return source.key;
  const key = environment.get(source.name);
  if (key === undefined && provider !== SERVER_PROVIDER) {
    throw new CliError(
      "no_key",
      `models.json takes the key of ${provider} from $${source.name}, which is not set`,
      {
        advice: `Set ${source.name} in the environment.`,
      },
    );
  }
  return key;
}

async function readModelsFile(path: string): Promise<{ file: ModelsFile; error: CliError | undefined }> {
  try {
    return { file: parseModelsFile(await readFile(path, "utf8"), path), error: undefined };
  } catch (error) {
    if (error instanceof CliError) return { file: EMPTY_MODELS_FILE, error };
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { file: EMPTY_MODELS_FILE, error: undefined };
    }
    const reason = error instanceof Error ? error.message : String(error);
    const failure = new CliError("invalid_config", `${path} cannot be read: ${reason}`, { cause: error });
    return { file: EMPTY_MODELS_FILE, error: failure };
  }
}
