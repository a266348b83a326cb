import { PERMISSION_MODES, type PermissionMode } from "@coppice/coding-agent";
import { inertLine } from "../../../render/terminal-text.ts";
import type { CommandHost, SlashCommand } from "./command.ts";

const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  "read-only": "nothing that changes anything",
  ask: "you are asked before what may do harm",
  auto: "whatever no rule forbids",
};

const MAX_RULE_CHARACTERS = 120;

export const permissionsCommand: SlashCommand = {
  name: "permissions",
  argument: "[mode]",
  help: "what tools may do without asking: read-only, ask or auto, and the rules",
  async run(host, argument) {
    const wanted = argument === "" ? await picked(host) : argument;
    if (wanted === undefined) return;
    const mode = PERMISSION_MODES.find((candidate) => candidate === wanted);
    if (mode === undefined) {
      return host.notice(`"${wanted}" is none of ${PERMISSION_MODES.join(", ")}.`, "error");
    }
    host.permissions.mode = mode;
    host.notice(`From now on in this run, tools may do this: ${MEANINGS[mode]}.`);
  },
};

function picked(host: CommandHost): Promise<string | undefined> {
  return host.pick({
    title: [...ruleLines(host), "Tools may do"],
    choices: PERMISSION_MODES.map((mode) => ({ value: mode, label: mode, description: MEANINGS[mode] })),
    selected: host.permissions.mode,
  });
}

function ruleLines({ setup }: Pick<CommandHost, "setup">): readonly string[] {
  const { allow = [], ask = [], deny = [] } = setup.settings.permissions ?? {};
  const lines = (
    [
      ["deny", deny],
      ["ask", ask],
      ["allow", allow],
    ] as const
  ).flatMap(([kind, rules]) =>
    rules.map((rule) => `  ${kind.padEnd(5)}  ${inertLine(rule, MAX_RULE_CHARACTERS)}`),
  );
  return lines.length === 0 ? [] : ["Rules of the settings", ...lines, ""];
}
