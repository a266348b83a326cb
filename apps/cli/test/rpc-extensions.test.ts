import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test, vi } from "vitest";
import { connect } from "./rpc-client.ts";
import { createSandbox, jsonLines } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 90_000 });

/** Asks all that can be asked, and says what it heard. */
const INTERVIEW = `
export default (api) => {
  api.registerCommand("interview", {
    description: "Asks.",
    handler: async (who) => {
      const sure = await api.ui.confirm("Sure?", { message: "It is final." });
      const colour = await api.ui.select("Which?", ["red", "green"]);
      const name = await api.ui.input("Name?", { placeholder: "a name" });
      return JSON.stringify([who, sure, colour ?? null, name ?? null]);
    },
  });
  api.registerCommand("fails", { description: "Fails.", handler: () => { throw new Error("no luck"); } });
};
`;

test("a client runs a command of an extension and answers its dialogs; what does not fit is refused, and the dialog stays", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "interview.mjs"), INTERVIEW);
  const { client, events, seen } = await connect(sandbox, [
    ...["--model", "demo", "--extension", "./interview.mjs"],
  ]);
  const { commands } = await client.request("get_commands");
  expect(commands).toContainEqual(expect.objectContaining({ name: "interview", description: "Asks." }));

  // Before the client said that it answers, nothing is asked.
  expect(await client.request("run_command", { name: "interview", args: "nobody" })).toEqual({
    said: '["nobody",false,null,null]',
  });
  expect(events.filter(({ type }) => type === "question")).toEqual([]);

  await client.request("answer_questions", { enabled: true });
  const said = client.request("run_command", { name: "interview", args: "Ada" });
  const question = async (count: number) => {
    await seen("question", count);
    return events.filter(({ type }) => type === "question")[count - 1];
  };
  const steps = [
    {
      dialog: { kind: "confirm", title: "Sure?", message: "It is final." },
      wrong: ["yes", {}],
      answer: true,
    },
    {
      dialog: { kind: "select", title: "Which?", options: ["red", "green"] },
      wrong: ["blue", true],
      answer: "green",
    },
    { dialog: { kind: "input", title: "Name?", placeholder: "a name" }, wrong: [false], answer: "Ada" },
  ] as const;
  for (const [at, { dialog, wrong, answer }] of steps.entries()) {
    const asked = await question(at + 1);
    expect(asked).toMatchObject({ kind: "dialog", dialog });
    const questionId = String(asked?.questionId);
    for (const value of wrong) {
      await expect(
        client.request("answer_question", { questionId, answer: value as string }),
      ).rejects.toMatchObject({ name: "RpcError" });
    }
    await client.request("answer_question", { questionId, answer });
  }
  expect(await said).toEqual({ said: '["Ada",true,"green","Ada"]' });

  // Dismissed ones are a no.
  const dismissed = client.request("run_command", { name: "interview" });
  for (const count of [4, 5, 6]) {
    const questionId = String((await question(count))?.questionId);
    await client.request("answer_question", { questionId, answer: null });
  }
  expect(await dismissed).toEqual({ said: '["",false,null,null]' });

  // One that fails is told as an event, and the program goes on.
  expect(await client.request("run_command", { name: "fails" })).toEqual({});
  expect(JSON.stringify(events)).toContain("no luck");
  expect(await client.close()).toBe(0);
});

/** Asks as soon as there is a session, and tells what it heard. */
const GREETER = `
export default (api) => {
  api.on("session_start", async () => {
    await api.report("Heard " + (await api.ui.confirm("Begin?")) + ".");
  });
};
`;

test("an extension that asks when the session starts, before a client could answer, hears no, and the client is greeted", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "greeter.mjs"), GREETER);
  const { exitCode, stdout, stderr } = await sandbox.run([
    ...["--model", "demo", "--extension", "./greeter.mjs", "--mode", "rpc"],
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(jsonLines(stdout)).toMatchObject([
    { type: "diagnostic", message: "greeter: Heard false." },
    { type: "ready" },
  ]);
});

test("a dialog that a new session asks is answered while the command waits for it", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "greeter.mjs"), GREETER);
  const { client, events, seen } = await connect(sandbox, [
    ...["--model", "demo", "--extension", "./greeter.mjs"],
  ]);
  await client.request("answer_questions", { enabled: true });
  const moved = client.request("new_session");
  await seen("question");
  const questionId = String(events.find(({ type }) => type === "question")?.questionId);
  await client.request("answer_question", { questionId, answer: true });
  await moved;
  expect(events.filter(({ type }) => type === "diagnostic")).toMatchObject([
    { message: "greeter: Heard false." },
    { message: "greeter: Heard true." },
  ]);
  expect(await client.close()).toBe(0);
});

test("a client that goes away while a command waits for its answer, or with one still to begin, is answered for with no", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "greeter.mjs"), GREETER);
  const { exitCode, stdout, stderr } = await sandbox.run(
    ["--model", "demo", "--extension", "./greeter.mjs", "--mode", "rpc"],
    {
      stdin: '{"type":"answer_questions","enabled":true}\n{"type":"new_session"}\n{"type":"new_session"}\n',
    },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(jsonLines(stdout).filter(({ type }) => type === "response")).toMatchObject([
    { command: "answer_questions", success: true },
    { command: "new_session", success: true },
    { command: "new_session", success: true },
  ]);
});

test("a dialog that is open when the client goes away is dismissed, and the program ends", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "interview.mjs"), INTERVIEW);
  const run = sandbox.start(["--model", "demo", "--extension", "./interview.mjs", "--mode", "rpc"], {
    stdin: null,
  });
  run.child.stdin?.write(
    '{"type":"answer_questions","enabled":true}\n{"type":"run_command","name":"interview"}\n',
  );
  await new Promise<void>((resolve) => {
    run.child.stdout?.on("data", (text: string) => text.includes('"question"') && resolve());
  });
  run.child.stdin?.end();
  const { exitCode, stdout, stderr } = await run.ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  // One dismissed, and the two after it never asked.
  expect(jsonLines(stdout).filter(({ type }) => type === "question")).toHaveLength(1);
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    ...{ type: "response", command: "run_command", data: { said: '["",false,null,null]' } },
  });
});

test("a client looks at what going back would do to files, and nothing is done until it says so", async () => {
  await using sandbox = await createSandbox();
  const write = (content: string) => ({
    content: [scriptedToolCall("write", { path: "a.txt", content })],
  });
  await using wire = await createWireServer({
    answers: [
      write("first\n"),
      { content: [scriptedText("ok")] },
      write("second\n"),
      { content: [scriptedText("ok")] },
    ],
  });
  const { client, seen } = await connect(sandbox, [
    ...["--base-url", wire.baseUrl("openai-completions"), "--model", "m"],
  ]);
  const file = join(sandbox.project, "a.txt");
  await client.request("prompt", { message: "first" });
  await seen("agent_settled");
  await client.request("prompt", { message: "second" });
  await seen("agent_settled", 2);
  const { entries } = await client.request("get_entries");
  const [first, second] = entries.filter(
    (entry) => isEntry(entry, "message") && entry.message.role === "user",
  );
  const before = (entry: typeof first) => entry?.parentId ?? null;
  expect(await client.request("preview_files", { entryId: before(second) })).toMatchObject({
    ...{ restored: [expect.stringContaining("a.txt")], removed: [], kept: [] },
  });
  expect(await client.request("preview_files", { entryId: before(first) })).toMatchObject({
    ...{ restored: [], removed: [expect.stringContaining("a.txt")] },
  });
  expect(await readFile(file, "utf8")).toBe("second\n");
  await expect(client.request("preview_files", { entryId: "nope" })).rejects.toMatchObject({
    code: "unknown_entry",
  });
  await client.request("restore_files", { entryId: before(second) });
  expect(await readFile(file, "utf8")).toBe("first\n");
  await client.request("restore_files", { entryId: before(first) });
  expect(existsSync(file)).toBe(false);
  expect(await client.close()).toBe(0);
});
