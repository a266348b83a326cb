import type { SlashCommand } from "./command.ts";
import { compactCommand } from "./compact.ts";
import { contextCommand } from "./context.ts";
import { exportCommand } from "./export.ts";
import { forkCommand } from "./fork.ts";
import { helpCommand } from "./help.ts";
import { modelCommand } from "./model.ts";
import { nameCommand } from "./name.ts";
import { newCommand } from "./new.ts";
import { pinCommand, pinsCommand, unpinCommand } from "./pins.ts";
import { quitCommand } from "./quit.ts";
import { resumeCommand } from "./resume.ts";
import { sessionCommand } from "./session.ts";
import { thinkingCommand } from "./thinking.ts";
import { treeCommand } from "./tree.ts";

/** Every slash command, in the order of `/help`. A new one is a file and a line here. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  helpCommand,
  modelCommand,
  thinkingCommand,
  compactCommand,
  contextCommand,
  pinCommand,
  unpinCommand,
  pinsCommand,
  treeCommand,
  forkCommand,
  sessionCommand,
  nameCommand,
  newCommand,
  resumeCommand,
  exportCommand,
  quitCommand,
];

/** A typed line taken apart; undefined when it is no command: a prompt may well begin with a path. */
export function parseCommand(text: string): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], argument: (match[2] ?? "").trim() };
}
