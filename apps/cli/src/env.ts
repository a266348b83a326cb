import { vendors } from "@coppice/ai/vendors";

/** Holds the key of the server named by `--base-url`, where it wants one. */
export const CUSTOM_KEY_VARIABLE = "COPPICE_API_KEY";

/** Variables that hold a provider's key, in order of preference; none for a provider that is not known. */
export function keyVariablesOf(provider: string): readonly string[] {
  return Object.hasOwn(vendors, provider) ? (vendors[provider]?.keyVariables ?? []) : [];
}

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
      return keyVariablesOf(provider)
        .map(get)
        .find((value) => value !== undefined);
    },
    forCommands(alsoSecret = []) {
      const secret = new Set([
        CUSTOM_KEY_VARIABLE,
        ...Object.values(vendors).flatMap(({ keyVariables }) => keyVariables),
        ...alsoSecret,
      ]);
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(variables)) {
        if (value !== undefined && !secret.has(name)) kept[name] = value;
      }
      return kept;
    },
  };
}

/** How long the terminal waits for the rest of an escape sequence of which only the escape has come. */
const ESCAPE_WAIT_MS = 50;
const ESCAPE_WAIT_VARIABLE = "PI_TUI_ESC_TIMEOUT";

/**
 * Runs `start` with a wait after a lone escape that is long enough for keys whose bytes a line tears apart, such as
 * Alt+Enter (fault kind UI-06). What the person set holds, and over SSH the longer wait that the terminal chooses; no
 * command inherits the variable.
 */
export function withEscapeWait(start: () => void, variables: NodeJS.ProcessEnv = process.env): void {
  const isChosen = [ESCAPE_WAIT_VARIABLE, "SSH_CONNECTION", "SSH_TTY"].some((name) => variables[name]);
  if (!isChosen) variables[ESCAPE_WAIT_VARIABLE] = String(ESCAPE_WAIT_MS);
  try {
    start();
  } finally {
    if (!isChosen) delete variables[ESCAPE_WAIT_VARIABLE];
  }
}
