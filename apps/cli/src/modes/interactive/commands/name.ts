import type { SlashCommand } from "./command.ts";

export const nameCommand: SlashCommand = {
  name: "name",
  argument: "[text]",
  help: "name the session; without a text, show its name",
  async run(host, argument) {
    const { session } = host.agent;
    if (argument === "") return host.notice((await session.getName()) ?? "This session has no name.");
    await session.appendSessionName(argument);
    host.notice(`Named “${(await session.getName()) ?? argument}”.`);
  },
};
