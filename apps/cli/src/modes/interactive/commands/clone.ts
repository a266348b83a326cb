import type { SlashCommand } from "./command.ts";

export const cloneCommand: SlashCommand = {
  name: "clone",
  help: "go on in a copy of the session, as it stands here",
  async run(host) {
    const { id } = host.agent.session;
    if (host.agent.session.getLeafId() === null) return host.notice("The session is empty.");
    const { session } = await host.agent.fork();
    await host.goOnIn({ kind: "fork", session });
    host.notice(`A copy of session ${id}.`);
  },
};
