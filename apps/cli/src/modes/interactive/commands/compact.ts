import type { SlashCommand } from "./command.ts";

export const compactCommand: SlashCommand = {
  name: "compact",
  argument: "[focus]",
  help: "summarise what came before, with a focus if you give one",
  async run(host, argument) {
    await host.agent.compact(argument === "" ? {} : { instructions: argument });
  },
};
