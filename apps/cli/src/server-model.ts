import type { Model } from "@coppice/ai";
import { isHttpUrl } from "@coppice/coding-agent";
import { CliError } from "./cli-error.ts";
import type { FlagValues } from "./flags.ts";

/** Provider name of the server behind `--base-url`. */
export const SERVER_PROVIDER = "server";

/** Window of a server that says nothing about it, in tokens. */
const DEFAULT_CONTEXT_WINDOW = 128_000;

/** Largest answer asked of such a server, in tokens. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;

/** The flags that describe a server, checked. */
export interface ServerFlags {
  readonly baseUrl: string;
  readonly modelId: string;
  readonly api: string;
  /** Tokens. */
  readonly contextWindow: number;
}

/** What the flags say about a server; undefined without `--base-url`. Throws `CliError` `usage`. */
export function readServerFlags(flags: FlagValues): ServerFlags | undefined {
  const baseUrl = flags["base-url"];
  if (baseUrl === undefined || flags.model === undefined) return undefined;
  if (!isHttpUrl(baseUrl)) {
    throw new CliError("usage", `--base-url is an http or https address, not "${baseUrl}"`);
  }
  const window = flags["context-window"];
  if (window !== undefined && !/^[1-9]\d{0,9}$/.test(window)) {
    throw new CliError("usage", `--context-window is a number of tokens, not "${window}"`);
  }
  return {
    baseUrl,
    modelId: flags.model,
    api: flags.api ?? "openai-completions",
    contextWindow: window === undefined ? DEFAULT_CONTEXT_WINDOW : Number(window),
  };
}

/** The model behind such a server: text only, free, as little assumed as possible. */
export function createServerModel({ baseUrl, modelId, api, contextWindow }: ServerFlags): Model {
  return {
    id: modelId,
    name: modelId,
    api,
    provider: SERVER_PROVIDER,
    baseUrl,
    reasoning: false,
    input: ["text"],
    contextWindow,
    // An answer takes at most half of a small window, so that a prompt fits beside it.
    maxTokens: Math.min(DEFAULT_MAX_OUTPUT_TOKENS, Math.floor(contextWindow / 2)),
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
}
