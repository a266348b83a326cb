import { bringCommand } from "./bring.ts";
import { cloneCommand } from "./clone.ts";
import type { SlashCommand } from "./command.ts";
import { compactCommand, redoCompactCommand, undoCompactCommand } from "./compact.ts";
import { contextCommand } from "./context.ts";
import { copyCommand } from "./copy.ts";
import { exportCommand } from "./export.ts";
import { forkCommand } from "./fork.ts";
import { helpCommand } from "./help.ts";
import { hotkeysCommand } from "./hotkeys.ts";
import { loginCommand } from "./login.ts";
import { mcpCommand } from "./mcp.ts";
import { modelCommand } from "./model.ts";
import { nameCommand } from "./name.ts";
import { newCommand } from "./new.ts";
import { permissionsCommand } from "./permissions.ts";
import { pinCommand, pinsCommand, unpinCommand } from "./pins.ts";
import { quitCommand } from "./quit.ts";
import { recallCommand } from "./recall.ts";
import { reloadCommand } from "./reload.ts";
import { resumeCommand } from "./resume.ts";
import { rewindCommand } from "./rewind.ts";
import { sessionCommand } from "./session.ts";
import { settingsCommand } from "./settings.ts";
import { skillsCommand } from "./skills.ts";
import { thinkingCommand } from "./thinking.ts";
import { toolsCommand } from "./tools.ts";
import { treeCommand } from "./tree.ts";

/** Every slash command, in the order of `/help`. A new one is a file and a line here. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  helpCommand,
  modelCommand,
  thinkingCommand,
  compactCommand,
  undoCompactCommand,
  redoCompactCommand,
  contextCommand,
  pinCommand,
  unpinCommand,
  pinsCommand,
  recallCommand,
  treeCommand,
  rewindCommand,
  bringCommand,
  forkCommand,
  cloneCommand,
  sessionCommand,
  nameCommand,
  newCommand,
  resumeCommand,
  exportCommand,
  copyCommand,
  toolsCommand,
  skillsCommand,
  mcpCommand,
  permissionsCommand,
  settingsCommand,
  loginCommand,
  reloadCommand,
  hotkeysCommand,
  quitCommand,
];

/** A typed line taken apart; undefined when it is no command: a prompt may well begin with a path. Names of extensions, skills and templates are wider than our own. */
export function parseCommand(text: string): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([\p{L}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], argument: (match[2] ?? "").trim() };
}
