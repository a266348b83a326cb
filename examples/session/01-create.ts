import { JsonlRepo } from "@coppice/session";
import { withDirectory } from "./scratch-directory.ts";

// A session is a file: appends are on it once they resolve, and whoever opens it is where it was left.
await withDirectory(async (directory) => {
  const repo = new JsonlRepo({ directory });
  const session = await repo.create({ cwd: "/home/me/project" });
  await session.appendMessage({ role: "user", content: "Why is it slow?", timestamp: Date.now() });
  await session.appendSessionName("Slow parser");
  await session.close();

  const again = await repo.open(session.id.slice(0, 13));
  const { messages } = await again.buildContext();
  console.log(
    await again.getName(),
    messages.map((message) => message.role),
  );
  await again.close();

  for await (const item of repo.list()) if ("id" in item) console.log(item.firstPrompt, item.messageCount);
});
