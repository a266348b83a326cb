import { tableLines } from "../../../render/table.ts";
import { inertLine } from "../../../render/terminal-text.ts";
import type { CommandHost, SlashCommand } from "./command.ts";

const MAX_RULE_COLUMNS = 200;

export const pinCommand: SlashCommand = {
  name: "pin",
  argument: "<rule>",
  help: "a rule that holds from now on; every summary keeps it word for word",
  async run(host, argument) {
    const { text } = await host.agent.pin(argument);
    host.notice(`Pinned: ${text}`);
  },
};

export const unpinCommand: SlashCommand = {
  name: "unpin",
  help: "take a pinned rule back",
  async run(host) {
    const pins = await host.agent.pins();
    if (pins.length === 0) return host.notice("No rule is pinned.");
    const id = await host.pick({
      title: ["This rule no longer holds"],
      choices: pins.map((pin) => ({ value: pin.id, label: pin.text, description: pin.source })),
    });
    if (id === undefined) return;
    await host.agent.unpin(id);
    await showPins(host);
  },
};

export const pinsCommand: SlashCommand = {
  name: "pins",
  help: "the rules that are pinned",
  run: showPins,
};

async function showPins(host: CommandHost): Promise<void> {
  const pins = await host.agent.pins();
  const rows = pins.map(({ text, source }) => [inertLine(text, MAX_RULE_COLUMNS), `(${source})`]);
  host.notice(rows.length === 0 ? "No rule is pinned; /pin RULE pins one." : tableLines(rows).join("\n"));
}
