import { scriptedModel, scriptedStream } from "@coppice/ai/testing";
import { createCodingAgent } from "@coppice/coding-agent";
import { createMemoryEnvironment } from "@coppice/coding-agent/testing";
import { MemoryRepo } from "@coppice/session";

const repo = new MemoryRepo({ now: Date.now });
const created = await repo.create({ cwd: "/wood" });
const model = scriptedModel();
const options = { cwd: "/wood", model, repo, environment: createMemoryEnvironment(), tools: [] };

const first = await createCodingAgent({
  ...options,
  session: created,
  streamFunction: scriptedStream(["Oak."]),
});
await first.prompt("Which tree?");
await first.dispose();

// Another agent goes on where the first one stopped: the session is the one truth.
const session = await repo.open(created.id);
const streamFunction = scriptedStream(["Ash, then.", "Or elm."]);
const second = await createCodingAgent({ ...options, session, streamFunction });
await second.prompt("Another one?");
console.log(`the second agent sent ${streamFunction.requests[0]?.messages.length} messages`);

// Back to the first answer: what was said after it stays in the tree, on a branch of its own.
const answer = (await session.getBranch()).find(
  (entry) => entry.type === "message" && JSON.stringify(entry).includes("Oak."),
);
await second.navigate(answer?.id ?? null);
await second.prompt("Or a third one?");
console.log(`now it sent ${streamFunction.requests[1]?.messages.length}`);
for (const entry of (await second.inspectContext()).entries) {
  if (entry.role === "user" || entry.role === "assistant") console.log(`${entry.role}: ${entry.state}`);
}

const fork = await second.fork();
console.log(`a fork has ${(await fork.session.buildContext()).messages.length} messages`);
await second.dispose();
