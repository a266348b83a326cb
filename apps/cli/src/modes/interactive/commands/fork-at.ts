import type { CommandHost } from "./command.ts";

/** Goes on in a copy of the way to an entry; where one is, nothing is to be edited again and the copy is whole. */
export async function forkAt(host: CommandHost, entryId: string): Promise<void> {
  const { session } = host.agent;
  const fork = await host.agent.fork(entryId === session.getLeafId() ? {} : { entryId });
  await host.goOnIn({ kind: "fork", session: fork.session });
  host.notice(`A copy of session ${session.id}.`);
  if (fork.editorText !== undefined) host.prependToEditor(fork.editorText);
}
