import { appendFile, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createSandbox, jsonLines } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 90_000 });

const demo = (prompt: string, ...more: readonly string[]) => ["--model", "demo", "-p", prompt, ...more];

async function idOf(path: string): Promise<string> {
  const [header = "{}"] = (await readFile(path, "utf8")).split("\n");
  return String(JSON.parse(header).id);
}

function roleOf({ message }: Readonly<Record<string, unknown>>): unknown {
  return (message as { readonly role?: unknown } | undefined)?.role;
}

test("sessions search finds what was said, for people and programs, and says where it did not look", async () => {
  await using sandbox = await createSandbox();
  const other = join(sandbox.project, "other");
  await mkdir(other);
  await sandbox.run(demo("the quick\u001b[31m badger"), { cwd: other });
  const [path = ""] = await sandbox.sessionFiles();
  const id = await idOf(path);

  expect(await sandbox.run(["sessions", "search", "badger"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "Not in the sessions of this directory; --all looks everywhere.\n",
  });
  const found = await sandbox.run(["sessions", "search", "QUICK", "--all"]);
  expect(found).toMatchObject({ exitCode: 0, stderr: "" });
  expect(found.stdout).toMatch(new RegExp(`^${id}  the quick.*badger\n  [0-9a-f]{16}  20.*the quick badger`));
  const records = jsonLines(
    (await sandbox.run(["sessions", "search", "quick", "--mode", "json"], { cwd: other })).stdout,
  );
  expect(records.at(-1)).toMatchObject({ sessionId: id, path, type: "message", isOnBranch: true });
});

test("sessions search shows the newest session first, as the list does", async () => {
  await using sandbox = await createSandbox();
  for (const prompt of ["badger one", "badger two", "badger three"]) await sandbox.run(demo(prompt));
  const found = await sandbox.run(["sessions", "search", "badger"]);
  const order = [...found.stdout.matchAll(/^\S+ {2}badger (\w+)$/gm)].map(([, word]) => word);
  expect(order).toEqual(["three", "two", "one"]);
});

test("sessions doctor leaves a sound file alone, names the damage of another, and repairs into a copy", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const sound = await sandbox.run(["sessions", "doctor"]);
  expect(sound).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(`^✓ ${path}  \\d+ entries\n$`),
    stderr: "1 examined, 0 with problems.\n",
  });

  await appendFile(path, '{"type":"message","id":"x\n');
  const damaged = await readFile(path, "utf8");
  const lines = damaged.split("\n").length - 1;
  const run = await sandbox.run(["sessions", "doctor", await idOf(path)]);
  expect(run).toMatchObject({ exitCode: 1, stderr: "1 examined, 1 with problems.\n" });
  expect(run.stdout).toContain(`  line ${lines}: `);
  expect(run.stdout).toContain("--repair writes a repaired copy beside it");

  const repair = await sandbox.run(["sessions", "doctor", "--repair"]);
  expect(repair.stdout).toContain(`Repaired copy: ${path}.repaired`);
  expect(await readFile(path, "utf8")).toBe(damaged);
  expect(await sandbox.run(["sessions", "doctor", `${path}.repaired`])).toMatchObject({ exitCode: 0 });
});

test("a session goes out with export and comes back with import, one file or a folder; nothing is overwritten", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const id = await idOf(path);
  const target = join(sandbox.project, "out", "copy.jsonl");
  expect(await sandbox.run(["sessions", "export", id.slice(0, 20), "out/copy.jsonl"])).toEqual({
    exitCode: 0,
    stdout: `${target}\n`,
    stderr: "No secret of a known form was found; look through the file before you share it.\n",
  });
  expect(await readFile(target, "utf8")).toBe(await readFile(path, "utf8"));
  expect(await sandbox.run(["sessions", "export", id, "out/copy.jsonl"])).toMatchObject({
    exitCode: 1,
    stdout: "",
  });

  expect(await sandbox.run(["sessions", "import", "out"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`There is a session ${id} already.`),
  });
  await rm(path);
  expect(await sandbox.run(["sessions", "import", "out"])).toEqual({
    exitCode: 0,
    stdout: `${id}  ${target}\n`,
    stderr: "",
  });
  expect((await sandbox.run(["-c", "-p", "what did I ask so far?"])).stdout).toContain("hello");
});

test("sessions recall gives originals by entry, by span and by words, as text or as one line of JSON", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("water the \u001b[31mplants"));
  const [path = ""] = await sandbox.sessionFiles();
  const id = await idOf(path);
  const said = jsonLines(await readFile(path, "utf8")).filter(({ type }) => type === "message");
  const [asked = {}, last = {}] = [said.find((entry) => roleOf(entry) === "user"), said.at(-1)];
  const recall = (...args: readonly string[]) => sandbox.run(["sessions", "recall", id, ...args]);
  const byId = await recall(String(asked.id));
  expect(byId).toMatchObject({ exitCode: 0, stderr: "" });
  expect(byId.stdout).toContain(`[${asked.id}] user`);
  expect(byId.stdout).not.toContain("\u001b");
  const byWords = await recall("the", "plants", "--mode", "json", "--budget", "200");
  expect(JSON.parse(byWords.stdout)).toMatchObject({ entryIds: expect.arrayContaining([asked.id]) });
  const span = JSON.parse((await recall(`${asked.id}..${last.id}`, "--mode", "json")).stdout);
  expect(span.entryIds).toEqual([asked.id, last.id]);
  expect(await recall("zebra")).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await recall("plants", "--budget", "much")).toMatchObject({ exitCode: 2, stdout: "" });
});

test("sessions merge unites two copies that went on by themselves", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const copy = join(sandbox.project, "copy.jsonl");
  await copyFile(path, copy);
  await sandbox.run(demo("from the one", "--session", path));
  await sandbox.run(demo("from the other", "--session", copy));
  expect(await sandbox.run(["sessions", "merge", path, copy, "both.jsonl"])).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const both = await readFile(join(sandbox.project, "both.jsonl"), "utf8");
  expect([both.includes("from the one"), both.includes("from the other")]).toEqual([true, true]);
  expect(await sandbox.run(["sessions", "doctor", "./both.jsonl"])).toMatchObject({ exitCode: 0 });
});

test("--fork goes on in a copy and leaves the session as it was", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const before = await readFile(path, "utf8");
  const fork = await sandbox.run(demo("what did I ask so far?", "--fork", await idOf(path)));
  expect(fork).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello") });
  expect(await readFile(path, "utf8")).toBe(before);
  const files = await sandbox.sessionFiles();
  expect(files).toHaveLength(2);
  const header = jsonLines(await readFile(files.find((file) => file !== path) ?? "", "utf8"))[0];
  expect(header).toMatchObject({ parentSession: path });
});

test("mistakes are answered with the command that would be right", async () => {
  await using sandbox = await createSandbox();
  const advised = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await sandbox.run(args);
    return `${exitCode} ${stderr.split("\n")[1]?.trim()}`;
  };
  expect(await advised("sessions", "export")).toBe(
    "2 Use `coppice sessions export <id> [file] [--branch] [--no-redact]`.",
  );
  expect(await advised("sessions", "show", "ffff")).toBe(
    "2 `coppice sessions list --all` shows what there is.",
  );
  expect(await advised("--resume", "hi")).toBe(
    "2 Use --continue, or --session with an id of `coppice sessions list`.",
  );
  const unknown = await sandbox.run(["--mode", "text", "sessions", "shwo"]);
  expect(unknown.stderr).toMatch(
    /Did you mean `coppice sessions show`\?\n +There are:\n +coppice sessions list \[--all\] +sessions of this directory/,
  );
  const help = await sandbox.run(["sessions", "merge", "--help"]);
  expect(help).toMatchObject({ exitCode: 0, stderr: "" });
  expect(help.stdout).toMatch(/^coppice sessions: [\s\S]*coppice sessions merge <file> <file> <target>/);
});

test("sessions of Claude Code, Codex and Gemini CLI are taken in, a folder at once, and go on", async () => {
  await using sandbox = await createSandbox();
  const foreign = join(import.meta.dirname, "../../../packages/session/fixtures/foreign");
  const names = [
    "claude-code-2.1.332-transcript.jsonl",
    "codex-0.171-rollout.jsonl",
    "gemini-0.61-session.jsonl",
  ];
  const ids = [
    "57939daa-27a8-4cde-996a-c1a0f6388fc8",
    "01a22d13-c4ed-7902-812b-b21fea143a89",
    "6a4f2ee0-eedf-402c-bed7-53181fb24c23",
  ];
  const first = await sandbox.run(["sessions", "import", foreign]);
  expect(first.stdout).toBe(names.map((name, index) => `${ids[index]}  ${join(foreign, name)}\n`).join(""));
  expect(first).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/: from Claude Code 2\.1\.332; left out: 13 notes/),
  });
  expect(await sandbox.run(["sessions", "import", foreign])).toMatchObject({ exitCode: 1, stdout: "" });

  for (const id of ids) {
    const run = await sandbox.run(["--fork", id, ...demo("what did I ask so far?")]);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Read the file and report.") });
    expect(await sandbox.run(["sessions", "doctor", id])).toMatchObject({ exitCode: 0 });
  }
});

test("a file of another program without a talk, and a file of none, are told apart and stop nothing else", async () => {
  await using sandbox = await createSandbox();
  const head = {
    sessionId: "6a4f2ee0-eedf-402c-bed7-53181fb24c23",
    projectHash: "0c",
    startTime: "2026-11-30T15:35:34.732Z",
  };
  await writeFile(join(sandbox.project, "a.jsonl"), `${JSON.stringify(head)}\n`);
  await writeFile(join(sandbox.project, "b.jsonl"), "no session\n");
  const { exitCode, stdout, stderr } = await sandbox.run(["sessions", "import", "."]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /a\.jsonl: It is of Gemini CLI and holds no conversation\.\n.*b\.jsonl.* is not a session: line 1/,
  );
});
