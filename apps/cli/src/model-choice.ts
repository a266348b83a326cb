import { builtinProviders, isProviderError, type Model, type ModelChoice, modelName } from "@coppice/ai";
import { CliError } from "./cli-error.ts";
import { closestByPart, closestWord } from "./closest-word.ts";
import { keyVariablesOf } from "./env.ts";
import type { KnownModels } from "./known-models.ts";
import { SERVER_PROVIDER } from "./server-model.ts";

/** The model of each provider that a run without `--model` takes: capable, priced for daily work (2026-11). */
const DEFAULT_MODELS: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.2-sol",
  openrouter: "~anthropic/claude-sonnet-latest",
  google: "gemini-pro-latest",
  xai: "grok-4.7",
  deepseek: "deepseek-v4-pro",
  moonshotai: "kimi-k3.1-pro",
  zai: "glm-5.3",
  together: "zai-org/GLM-5.3",
  fireworks: "accounts/fireworks/routers/glm-latest",
  groq: "openai/gpt-oss-120b",
  cerebras: "qwen-3.8-27b",
};

/** Names told when a model is not known. */
const MAX_GUESSES = 5;

/** The three ways to get going, told when no model can be used. */
export const WAYS_TO_CONNECT = [
  "Set a key in the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, …",
  "Use a server of your own: --base-url http://localhost:11434/v1 --model NAME, or ~/.coppice/models.json.",
  "Try it offline, without a key: --model demo.",
] as const;

export interface ModelChoiceOptions {
  readonly known: KnownModels;
  /** `--model`. */
  readonly pattern?: string | undefined;
  /** What a resumed session used last. */
  readonly sessionModel?: { readonly provider: string; readonly modelId: string } | undefined;
  /** What the settings say, as a pattern. */
  readonly settingsModel?: string | undefined;
}

/**
 * The model of a run: the one asked for, else the session's, else that of the settings, else one that can be used.
 *
 * A session never moves to another vendor by itself: when its model is not known here that is an error. Throws
 * `CliError` (`no_model`, `no_key`, `unknown_model`) or `ProviderError`.
 */
export async function chooseModel({
  known,
  pattern,
  sessionModel,
  settingsModel,
}: ModelChoiceOptions): Promise<ModelChoice> {
  if (pattern !== undefined) return named(known, pattern);
  if (sessionModel !== undefined) {
    const model = await modelOfSession(known, sessionModel);
    await requireUsable(known, model);
    return { model };
  }
  if (settingsModel !== undefined) return named(known, settingsModel);
  const model = await defaultModel(known);
  if (model === undefined) throw noModel(known);
  return { model };
}

/** The model of a run that names none; undefined when no provider can be used. The demo is never taken unasked. */
export async function defaultModel(known: KnownModels): Promise<Model | undefined> {
  for (const provider of known.ownProviders) {
    const own = (await known.list(provider)).find(known.isUsable);
    if (own !== undefined) return own;
  }
  for (const [provider, id] of Object.entries(DEFAULT_MODELS)) {
    const models = await known.list(provider);
    const model = models.find((candidate) => candidate.id === id);
    if (model !== undefined && known.isUsable(model)) return model;
  }
  return undefined;
}

/** A flag and a setting are binding: another vendor than the one that was chosen is never asked instead. */
async function named(known: KnownModels, pattern: string): Promise<ModelChoice> {
  const choice = await findOrExplain(known, pattern);
  await requireUsable(known, choice.model);
  return choice;
}

/** No model can be used: names the ways to get one. */
function noModel(known: KnownModels): CliError {
  if (known.fileError !== undefined) return known.fileError;
  const ways = WAYS_TO_CONNECT.map((way, index) => `${index + 1}. ${way}`).join("\n  ");
  return new CliError("no_model", "No model can be used: there is no key and no server", { advice: ways });
}

async function modelOfSession(
  known: KnownModels,
  { provider, modelId }: { readonly provider: string; readonly modelId: string },
): Promise<Model> {
  const model = (await known.list(provider)).find((candidate) => candidate.id === modelId);
  if (model !== undefined) return model;
  throw new CliError("unknown_model", `The session's model ${provider}/${modelId} is not known here`, {
    advice:
      provider === SERVER_PROVIDER
        ? "Name its server again with --base-url and --model, or another model with --model."
        : "Name another one with --model; `coppice --list-models` shows those that are known.",
  });
}

/** A name that may stand in a file that could not be read is explained by the file's error. */
async function findOrExplain(known: KnownModels, pattern: string): Promise<ModelChoice> {
  try {
    return await known.find(pattern);
  } catch (error) {
    throw known.fileError ?? (await withGuesses(known, pattern, error));
  }
}

/** A name that has little in common with any other as a whole may still be a misspelt part of one. */
async function withGuesses(known: KnownModels, pattern: string, error: unknown): Promise<unknown> {
  if (!isProviderError(error) || error.code !== "unknown_model") return error;
  if (Array.isArray(error.data.closest) && error.data.closest.length > 0) return error;
  const names = (await known.list()).map(modelName);
  const closest = closestByPart(pattern, names, MAX_GUESSES);
  if (closest.length === 0) return error;
  return new CliError("unknown_model", `${error.message} Closest: ${closest.join(", ")}.`, { cause: error });
}

async function requireUsable(known: KnownModels, model: Model): Promise<void> {
  if (known.isUsable(model)) return;
  if (!known.isSpoken(model)) {
    const formats = Object.keys(builtinProviders);
    const closest = closestWord(model.api, formats);
    throw new CliError("unknown_model", `${modelName(model)} needs the wire format "${model.api}"`, {
      advice: `The formats are ${formats.join(", ")}${closest === undefined ? "" : `; did you mean ${closest}?`}`,
    });
  }
  // Own providers explain themselves: the file names their key's variable.
  await known.keyFor(model.provider);
  const variables = keyVariablesOf(model.provider);
  const advice = variables.length > 0 ? `Set ${variables.join(" or ")} in the environment.` : undefined;
  throw new CliError(
    "no_key",
    `There is no key for ${model.provider}`,
    advice === undefined ? {} : { advice },
  );
}
