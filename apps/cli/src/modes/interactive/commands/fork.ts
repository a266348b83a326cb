import type { SlashCommand } from "./command.ts";
import { treeChoices } from "./tree-choices.ts";

export const forkCommand: SlashCommand = {
  name: "fork",
  help: "go on in a copy of the session, up to an entry; the session stays as it is",
  async run(host) {
    const { session } = host.agent;
    const leafId = session.getLeafId();
    const choices = treeChoices(await session.getTree(), leafId);
    if (choices.length === 0) return host.notice("The session is empty.");
    const entryId = await host.pick({
      title: ["Copy the way to (a message of yours comes back for editing)"],
      choices,
      ...(leafId === null ? {} : { selected: leafId }),
    });
    if (entryId === undefined) return;
    // Where one is, nothing is to be edited again: the copy is whole.
    const fork = await host.agent.fork(entryId === leafId ? {} : { entryId });
    await host.goOnIn({ kind: "fork", session: fork.session });
    host.notice(`A copy of session ${session.id}.`);
    if (fork.editorText !== undefined) host.setEditorText(fork.editorText);
  },
};
