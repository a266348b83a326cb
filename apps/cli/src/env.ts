/** Variables that hold a provider's key, in order of preference. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  google: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  xai: ["XAI_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  moonshotai: ["MOONSHOT_API_KEY"],
  zai: ["ZAI_API_KEY"],
  together: ["TOGETHER_API_KEY"],
  fireworks: ["FIREWORKS_API_KEY"],
  groq: ["GROQ_API_KEY"],
  cerebras: ["CEREBRAS_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
  nvidia: ["NVIDIA_API_KEY"],
  baseten: ["BASETEN_API_KEY"],
  huggingface: ["HF_TOKEN"],
  "kimi-coding": ["KIMI_API_KEY"],
  "vercel-ai-gateway": ["AI_GATEWAY_API_KEY"],
};

/** Holds the key of the server named by `--base-url`, where it wants one. */
export const CUSTOM_KEY_VARIABLE = "COPPICE_API_KEY";

/** What the process's environment says to Coppice. */
export interface CliEnvironment {
  /** Replaces `~/.coppice`. */
  readonly coppiceHome: string | undefined;
  readonly sessionDirectory: string | undefined;
  readonly homeDirectory: string | undefined;
  /** Stacks of errors are shown. */
  readonly isDebug: boolean;
  readonly allowsColor: boolean;
  /** The key of a provider; undefined when none of its variables is set. */
  keyFor(provider: string): string | undefined;
  /** Any variable, for `$NAME` in `models.json`. Empty counts as unset. */
  get(name: string): string | undefined;
  /** The environment for commands that the model runs: all variables but those of keys and `alsoSecret` (fault B251). */
  forCommands(alsoSecret?: readonly string[]): Readonly<Record<string, string>>;
}

/** Reads the environment; the only place in Coppice that does. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): CliEnvironment {
  const get = (name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
    return value === "" ? undefined : value;
  };
  return {
    coppiceHome: get("COPPICE_HOME"),
    sessionDirectory: get("COPPICE_SESSION_DIR"),
    homeDirectory: get("HOME") ?? get("USERPROFILE"),
    isDebug: get("COPPICE_DEBUG") === "1",
    allowsColor: get("NO_COLOR") === undefined && get("TERM") !== "dumb",
    get,
    keyFor(provider) {
      const names = Object.hasOwn(KEY_VARIABLES, provider) ? (KEY_VARIABLES[provider] ?? []) : [];
      return names.map(get).find((value) => value !== undefined);
    },
    forCommands(alsoSecret = []) {
      const secret = new Set([CUSTOM_KEY_VARIABLE, ...Object.values(KEY_VARIABLES).flat(), ...alsoSecret]);
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(variables)) {
        if (value !== undefined && !secret.has(name)) kept[name] = value;
      }
      return kept;
    },
  };
}
