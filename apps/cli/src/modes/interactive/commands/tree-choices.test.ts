import { ZERO_USAGE } from "@coppice/ai";
import { MemoryRepo, type SessionTreeNode } from "@coppice/session";
import { expect, test } from "vitest";
import { treeChoices } from "./tree-choices.ts";

const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
const answer = (text: string) => ({
  role: "assistant" as const,
  content: [{ type: "text" as const, text }],
  ...{ api: "a", provider: "p", model: "m", usage: ZERO_USAGE, stopReason: "stop" as const, timestamp: 0 },
});

test("branches are indented under where they leave, labels and the position are marked, settings are left out", async () => {
  let id = 0;
  const session = await new MemoryRepo({ now: () => 0, newId: () => `e${++id}` }).create({ cwd: "/x" });
  const first = await session.appendMessage(user("prune\nit"));
  const fork = await session.appendMessage(answer("How?"));
  await session.appendMessage(user("hard"));
  await session.moveTo(fork);
  await session.appendModelChange("p", "m2");
  await session.appendMessage(user("gently"));
  const leaf = await session.appendMessage(answer("Done."));
  await session.appendLabel(first, "start");
  const choices = treeChoices(await session.getTree(), leaf);
  expect(choices.map(({ label }) => label)).toEqual([
    "[start] user: prune it",
    "assistant: How?",
    "  user: hard",
    "  user: gently",
    "  ▸ assistant: Done.",
  ]);
  expect(choices.at(-1)?.value).toBe(leaf);
  await session.close();
});

test("a session of 100,000 entries in a row is listed", () => {
  let node: SessionTreeNode | undefined;
  for (let index = 100_000; index > 0; index--) {
    const id = String(index);
    const entry = {
      type: "message",
      id,
      parentId: String(index - 1),
      timestamp: "",
      message: user(id),
    } as const;
    node = { entry, label: undefined, children: node === undefined ? [] : [node] };
  }
  const choices = treeChoices(node === undefined ? [] : [node], null);
  expect(choices).toHaveLength(100_000);
  expect(choices[99_999]).toEqual({ value: "100000", label: "user: 100000" });
});
