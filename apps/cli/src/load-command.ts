import type { CliContext } from "./cli-context.ts";
import type { CommandName } from "./command-names.ts";

/** One subcommand, loaded. */
export interface Command {
  /** The text of `coppice NAME --help`; absent = that of `coppice --help`. */
  readonly helpText?: () => string;
  /** Resolves with the exit code. */
  readonly run: (context: CliContext) => Promise<number>;
}

/** Where each subcommand lives: a file of its own in `commands/`, loaded when it is called. */
const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  async sessions() {
    const { runSessionsCommand, sessionsHelpText } = await import("./commands/sessions.ts");
    return { run: runSessionsCommand, helpText: sessionsHelpText };
  },
  export: async () => ({ run: (await import("./commands/export.ts")).runExportCommand }),
  models: async () => ({ run: (await import("./commands/list-models.ts")).listModels }),
  async auth() {
    const { authHelpText, runAuthCommand } = await import("./commands/auth.ts");
    return { run: runAuthCommand, helpText: authHelpText };
  },
  async config() {
    const { configHelpText, runConfigCommand } = await import("./commands/config.ts");
    return { run: runConfigCommand, helpText: configHelpText };
  },
  async extensions() {
    const { extensionsHelpText, runExtensionsCommand } = await import("./commands/extensions.ts");
    return { run: runExtensionsCommand, helpText: extensionsHelpText };
  },
  async mcp() {
    const { mcpHelpText, runMcpCommand } = await import("./commands/mcp.ts");
    return { run: runMcpCommand, helpText: mcpHelpText };
  },
  eval: async () => ({ run: (await import("./commands/eval.ts")).runEvalCommand }),
  completions: async () => ({ run: (await import("./commands/completions.ts")).runCompletionsCommand }),
};

export function loadCommand(name: CommandName): Promise<Command> {
  return LOADERS[name]();
}
