import { JsonlRepo } from "@coppice/session";
import { withDirectory } from "./scratch-directory.ts";

// A fork is a session of its own with the way to one entry; the source stays as it is.
await withDirectory(async (directory) => {
  const repo = new JsonlRepo({ directory });
  const session = await repo.create({ cwd: "/w" });
  const first = await session.appendMessage({ role: "user", content: "one", timestamp: 1 });
  await session.appendMessage({ role: "user", content: "two", timestamp: 2 });

  const fork = await repo.fork(session, { entryId: first });
  await fork.appendMessage({ role: "user", content: "another two", timestamp: 3 });
  console.log((await session.getBranch()).length, (await fork.getBranch()).length);
  console.log(fork.header.parentSession === session.path);

  // A session that somebody else writes is refused, or forked when asked.
  const other = await repo.open(session.id, { whenLocked: "fork" });
  console.log(other.id !== session.id, other.getLeafId() === session.getLeafId());
  await Promise.all([session.close(), fork.close(), other.close()]);
});
