import { THINKING_LEVELS } from "@coppice/ai";
import type { SlashCommand } from "./command.ts";

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
            choices: THINKING_LEVELS.map((level) => ({ value: level, label: level })),
            selected: host.agent.thinkingLevel,
          });
    if (wanted === undefined) return;
    const level = THINKING_LEVELS.find((candidate) => candidate === wanted);
    if (level === undefined)
      return host.notice(`"${wanted}" is none of ${THINKING_LEVELS.join(", ")}.`, "error");
    await host.agent.setThinkingLevel(level);
  },
};
