import { expect, onTestFinished, test, vi } from "vitest";
import { openApp } from "./testing/open-app.ts";

// The whole application, on a machine that does much else.
vi.setConfig({ testTimeout: 60_000 });

const ENTER = "\r";
const WAIT = { timeout: 30_000, interval: 5 };
const BIG_PASTE = Array.from({ length: 24 }, (_, index) => `line ${index + 1}`).join("\n");

/** What a person had begun to write: text, a large paste as a chip, and the caret in the middle. */
function writeDraft(type: (...keys: readonly string[]) => void): void {
  type(..."half a thought ", `\u001b[200~${BIG_PASTE}\u001b[201~`, ..." and more", "\u001b[D", "\u001b[D");
}

/** Writes at every event of the agent; a draft that one of them wiped or moved would not end with all that was written. */
function typeDuring({ app, type }: Awaited<ReturnType<typeof openApp>>): () => string[] {
  const heard: string[] = [];
  const unsubscribe = app.agent.subscribe((event) => {
    heard.push(event.type);
    type("x");
  });
  onTestFinished(unsubscribe);
  return () => heard.splice(0);
}

const typedIn = (original: string, count: number) =>
  `${original.slice(0, -2)}${"x".repeat(count)}${original.slice(-2)}`;

test("UI-13: no event of the agent changes a draft or moves its caret: run, queue, compaction, tree, model, thinking", async () => {
  const opened = await openApp();
  const { app, type, editor } = opened;
  writeDraft(type);
  const [text, whole] = [editor.getText(), editor.getExpandedText()];
  const events = typeDuring(opened);
  let typed = 0;
  const expectKept = (...types: readonly string[]) => {
    const heard = events();
    typed += heard.length;
    expect(heard).toEqual(expect.arrayContaining([...types]));
    expect([editor.getText(), editor.getExpandedText()]).toEqual([
      typedIn(text, typed),
      typedIn(whole, typed),
    ]);
  };
  const { agent } = app;
  const run = agent.prompt(`what is this? ${"many words ".repeat(500)}`);
  agent.followUp("and this?");
  await run;
  expectKept("message_update", "queue_update", "agent_settled");
  await agent.compact();
  expectKept("compaction_start", "compaction_end");
  const [first] = await agent.session.getEntries();
  await agent.navigate(first?.id ?? null);
  expectKept("session_moved");
  await agent.setModel({ ...agent.model, id: "other" });
  expectKept("model_select");
});

test("what is shown again is not written into the history of prompts again", async () => {
  const { app, type, editor } = await openApp();
  for (const prompt of ["water the beds", "prune the hedge"]) type(...prompt, ENTER);
  await vi.waitFor(() => expect(app.agent.isBusy).toBe(false), WAIT);
  await app.reload();
  const earlier = [0, 1].map(() => {
    type("\u001b[A");
    return editor.getText();
  });
  expect(earlier).toEqual(["prune the hedge", "water the beds"]);
});

test("UI-13: a draft outlives /reload, a model that is chosen, the conversation shown anew, and another session", async () => {
  const { app, type, editor } = await openApp();
  await app.agent.prompt("what is this?");
  writeDraft(type);
  const before = [editor.getText(), editor.getExpandedText(), editor.getCursor()];
  const now = () => [editor.getText(), editor.getExpandedText(), editor.getCursor()];
  await app.selectModel(app.agent.model);
  await app.reload();
  expect(now()).toEqual(before);
  const { agent } = app;
  await app.reopen();
  expect(app.agent).not.toBe(agent);
  expect(now()).toEqual(before);
  await app.goOnIn({ kind: "new" });
  expect(now()).toEqual(before);
});

test("UI-13: what is written while the session moves stays, behind the message that comes back", async () => {
  const opened = await openApp();
  const { app, type, shown, editor } = opened;
  await app.agent.prompt(`what is this? ${"many words ".repeat(500)}`);
  await app.agent.prompt("water the beds");
  type(..."/tree", ENTER);
  await vi.waitFor(() => expect(shown().join("\n")).toContain("Tree "), WAIT);
  type(..."beds", ENTER);
  await vi.waitFor(() => expect(shown().join("\n")).toContain("Move there"), WAIT);
  const events = typeDuring(opened);
  type(ENTER);
  await vi.waitFor(() => expect(editor.getText()).toContain("water"), WAIT);
  const count = events().length;
  expect(count).toBeGreaterThan(0);
  expect(editor.getText()).toBe(`water the beds\n\n${"x".repeat(count)}`);
});
