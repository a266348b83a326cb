import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as library from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { sessionsHelpText } from "./commands/sessions.ts";
import { helpText } from "./help.ts";
import { SLASH_COMMANDS } from "./modes/interactive/commands/registry.ts";
import { RPC_COMMANDS } from "./modes/rpc/protocol.ts";

const GUIDE = join(import.meta.dirname, "../../../docs/how-coppice-remembers.md");

/** The names in each column of the table under “Where each of it is”, without its first. */
function namedInGuide(): readonly (readonly string[])[] {
  const [, section = ""] = readFileSync(GUIDE, "utf8").split("## Where each of it is\n");
  const rows = section
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.split("|").slice(2, -1));
  return [0, 1, 2, 3].map((column) =>
    (rows ?? []).flatMap((cells) =>
      [...(cells[column] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    ),
  );
}

test("whatever the guide to memory names is there: methods, functions, commands of terminal, RPC mode and shell", () => {
  const [inLibrary = [], inTerminal = [], inRpc = [], inShell = []] = namedInGuide();
  const missing = (names: readonly string[], isThere: (name: string) => boolean) =>
    names.filter((name) => !isThere(name));
  const isInLibrary = (name: string) =>
    name.startsWith("agent.")
      ? name.slice("agent.".length) in library.AgentHarness.prototype
      : name in library || name === "coppice/eval";
  const help = `${helpText()}\n${sessionsHelpText()}`;
  expect(missing(inLibrary, isInLibrary)).toEqual([]);
  expect(
    missing(inTerminal, (name) => SLASH_COMMANDS.some((command) => name === `/${command.name}`)),
  ).toEqual([]);
  expect(missing(inRpc, (name) => Object.hasOwn(RPC_COMMANDS, name))).toEqual([]);
  expect(missing(inShell, (name) => help.includes(name))).toEqual([]);
  expect(Math.min(...[inLibrary, inTerminal, inRpc, inShell].map(({ length }) => length))).toBeGreaterThan(5);
});
