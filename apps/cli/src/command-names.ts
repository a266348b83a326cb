/** One subcommand, as help, parser and completions know it. */
export interface CommandRow {
  /** As help shows it, after `coppice`, with what it is good for. */
  readonly usage: readonly (readonly [syntax: string, help: string])[];
  /** The words that may come first, for completions. */
  readonly verbs?: readonly string[];
}

/** Every subcommand, in the order of the help. `load-command.ts` says where each lives. */
export const COMMANDS = {
  sessions: {
    usage: [
      ["sessions list [--all]", "sessions of this directory, or of all"],
      ["sessions show [id]", "one session, as the model sees it"],
      ["sessions search <text>", "also: doctor, export, import, merge, redact, restore"],
    ],
    verbs: ["list", "show", "search", "doctor", "export", "import", "merge", "redact", "restore"],
  },
  export: { usage: [["export [id]", "a session as one HTML page; nothing is uploaded"]] },
  models: { usage: [["models [pattern]", "models that are known, those that can be used first"]] },
  auth: {
    usage: [["auth list|set|remove", "keys of providers, in a file for your eyes only"]],
    verbs: ["list", "set", "remove"],
  },
  config: {
    usage: [["config list|get|set|unset|path", "settings of yours, or with --project of this project"]],
    verbs: ["list", "get", "set", "unset", "path"],
  },
  extensions: {
    usage: [["extensions list|install|remove", "code that adds to the agent, and packages of it"]],
    verbs: ["list", "install", "remove"],
  },
  mcp: {
    usage: [["mcp list|add|remove|test", "servers that give the agent tools"]],
    verbs: ["list", "add", "remove", "test"],
  },
  eval: { usage: [["eval [coppice] [pi]", "what agents still know of a session after it was compacted"]] },
  completions: {
    usage: [["completions bash|zsh|fish", "a script that completes commands and flags in the shell"]],
    verbs: ["bash", "zsh", "fish"],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof COMMANDS;

/** Whether a word is the name of a subcommand. */
export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(COMMANDS, word);
}
