import type { ThinkingLevel } from "@coppice/ai";
import type { SlashCommand } from "./command.ts";

const LEVELS = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly ThinkingLevel[];

export const thinkingCommand: SlashCommand = {
  name: "thinking",
  argument: "[level]",
  help: "how much the model thinks before it answers",
  async run(host, argument) {
    const wanted =
      argument !== ""
        ? argument
        : await host.pick({
            title: ["Thinking level"],
            choices: LEVELS.map((level) => ({ value: level, label: level })),
            selected: host.agent.thinkingLevel,
          });
    if (wanted === undefined) return;
    const level = LEVELS.find((candidate) => candidate === wanted);
    if (level === undefined) return host.notice(`"${wanted}" is none of ${LEVELS.join(", ")}.`, "error");
    await host.agent.setThinkingLevel(level);
  },
};
