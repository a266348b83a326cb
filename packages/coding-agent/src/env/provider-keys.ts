import { vendors } from "@coppice/ai";

/**
 * Names of variables that hold a model provider's credentials.
 *
 * Beside the variables of the known vendors this covers others by pattern; credentials of other services (git hosts, package
 * registries, clouds) stay, because commands need them.
 */
const PROVIDER_VENDORS = [
  "AI_GATEWAY",
  "ANTHROPIC",
  "AZURE_OPENAI",
  "CEREBRAS",
  "CLAUDE_CODE",
  "COHERE",
  "COPPICE",
  "DEEPINFRA",
  "DEEPSEEK",
  "FIREWORKS",
  "GEMINI",
  "GOOGLE",
  "GOOGLE_GENERATIVE_AI",
  "GROQ",
  "HUGGINGFACE",
  "KIMI",
  "MINIMAX",
  "MISTRAL",
  "MOONSHOT",
  "NVIDIA",
  "OPENAI",
  "OPENCODE",
  "OPENROUTER",
  "PERPLEXITY",
  "REPLICATE",
  "TOGETHER",
  "VOYAGE",
  "XAI",
  "ZAI",
] as const;

const PROVIDER_KEY = new RegExp(
  `^(${PROVIDER_VENDORS.join("|")})_(?:[A-Z0-9]+_)*(API_KEY|AUTH_TOKEN|OAUTH_TOKEN|ACCESS_TOKEN|ADMIN_KEY)$`,
);

const VENDOR_KEYS = new Set(Object.values(vendors).flatMap(({ keyVariables }) => keyVariables));

function isProviderKey(name: string): boolean {
  return VENDOR_KEYS.has(name) || PROVIDER_KEY.test(name);
}

export interface ProviderKeyOptions {
  /** Names that stay although they look like provider keys. */
  readonly keep?: readonly string[];
}

/** The variables without the credentials of model providers: what commands run by a model may see. */
export function withoutProviderKeys(
  variables: Readonly<Record<string, string | undefined>>,
  options: ProviderKeyOptions = {},
): Readonly<Record<string, string>> {
  const keep = new Set(options.keep ?? []);
  const kept = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (keep.has(entry[0]) || !isProviderKey(entry[0].toUpperCase())),
  );
  return Object.fromEntries(kept);
}
