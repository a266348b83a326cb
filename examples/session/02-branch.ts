import { MemoryRepo, type Session } from "@coppice/session";

const user = (content: string) => ({ role: "user", content, timestamp: Date.now() }) as const;
const said = async (session: Session) =>
  (await session.buildContext()).messages.map((message) =>
    "content" in message ? message.content : message.role,
  );

// Going back never deletes: the other branch stays, and a summary can say what it was about.
const session = await new MemoryRepo().create({ cwd: "/w" });
const question = await session.appendMessage(user("Why is it slow?"));
const parser = await session.appendMessage(user("Look at the parser."));
await session.moveTo(question);
await session.appendMessage(user("Look at the disk."));
console.log(await said(session));

await session.branchWithSummary(parser, { summary: "The disk was not it." });
console.log(await said(session));
console.log((await session.getChildren(question)).length, "branches");
