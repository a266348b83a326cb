import { appendFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createSandbox, jsonLines } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 90_000 });

const demo = (prompt: string, ...more: readonly string[]) => ["--model", "demo", "-p", prompt, ...more];

test("--continue goes on with the newest session of this directory, and says when there is none", async () => {
  await using sandbox = await createSandbox();
  const other = join(sandbox.project, "other");
  await mkdir(other);
  await sandbox.run(demo("hello from here"));
  await sandbox.run(demo("hello from there"), { cwd: other });

  const here = await sandbox.run(["-c", "-p", "what did I ask so far?"]);
  expect(here.stdout, here.stderr).toContain("hello from here");
  expect(here.stdout).not.toContain("hello from there");
  expect(await sandbox.sessionFiles()).toHaveLength(2);

  const empty = join(sandbox.project, "empty");
  await mkdir(empty);
  expect(await sandbox.run(["-c", "-p", "hi"], { cwd: empty })).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining(`No session of ${empty} to continue`),
  });
});

test("--session takes a path, an id or its beginning; a miss and --no-session leave nothing behind", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const id = String(jsonLines(await readFile(path, "utf8"))[0]?.id);
  for (const ref of [path, id, id.slice(0, 20)]) {
    const run = await sandbox.run(demo("what did I ask so far?", "--session", ref));
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello") });
  }
  const miss = await sandbox.run(demo("hi", "--session", "ffff"));
  expect(miss).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("ffff") });
  expect(await sandbox.run(demo("hi", "--no-session"))).toMatchObject({ exitCode: 0 });
  expect(await sandbox.sessionFiles()).toEqual([path]);
});

test("B027: a session goes on in its own directory; when that is gone only a copy of it goes on here", async () => {
  await using sandbox = await createSandbox();
  const other = join(sandbox.project, "other");
  await mkdir(other);
  await writeFile(join(other, "notes.txt"), "TODO: water\n");
  await sandbox.run(demo("hello"), { cwd: other });
  const [path = ""] = await sandbox.sessionFiles();

  const there = await sandbox.run(demo("find TODOs", "--session", path));
  expect(there.stderr).toContain(`working in ${other}, the session's directory`);
  expect(there.stdout).toContain("water");
  await rm(other, { recursive: true });
  const before = await readFile(path, "utf8");
  const id = String(jsonLines(before)[0]?.id);
  for (const more of [[], ["--mode", "json"]]) {
    expect(await sandbox.run(demo("find TODOs", "--session", path, ...more))).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(
        `^coppice: The session's directory ${other} is gone.*\n  .*\`coppice --fork ${id}\`\\.\n$`,
      ),
    });
  }
  expect(await readFile(path, "utf8")).toBe(before);
  expect(await sandbox.sessionFiles()).toEqual([path]);
  const copy = await sandbox.run(demo("what did I ask so far?", "--fork", id));
  expect(copy).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello"), stderr: "" });
});

test("sessions list and show work for people and for programs", async () => {
  await using sandbox = await createSandbox();
  expect(await sandbox.run(["sessions", "list"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `No sessions of ${sandbox.project}; --all lists those of every directory.\n`,
  });
  await sandbox.run(demo("hello\u001b]0;x\u0007 there"));
  const [path = ""] = await sandbox.sessionFiles();
  const id = String(jsonLines(await readFile(path, "utf8"))[0]?.id);

  const list = await sandbox.run(["sessions", "list", "--all"]);
  expect(list).toMatchObject({ exitCode: 0, stderr: "" });
  expect(list.stdout).toMatch(new RegExp(`^${id}  now  2 messages  hello.{1,6}there  ${sandbox.project}\n$`));
  const records = jsonLines((await sandbox.run(["sessions", "list", "--mode", "json"])).stdout);
  expect(records).toMatchObject([{ id, cwd: sandbox.project, messageCount: 2 }]);

  const show = await sandbox.run(["sessions", "show"]);
  expect(show.stdout).toMatch(
    new RegExp(`^# ${id}  ${sandbox.project}\n\n## user\nhello␛\\]0;x␇ there\n\n## coppice/demo\n`),
  );
  expect((await sandbox.run(["sessions", "show", id.slice(0, 18)])).stdout).toBe(show.stdout);
  expect(jsonLines((await sandbox.run(["sessions", "show", "--mode", "json"])).stdout)[1]).toMatchObject({
    role: "user",
  });

  expect(await sandbox.run(["sessions", "shwo"])).toMatchObject({ exitCode: 2, stdout: "" });
});

test("damage in a session file is told wherever the file is read, and the rest goes on", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  const { size } = await stat(path);
  await appendFile(path, '{"type":"message","id":"x\n{"type":"mess');
  const notice = `2 damaged lines were skipped, the first at byte ${size} of the session file; see \`coppice sessions doctor ${path}\``;

  for (const command of ["list", "show"]) {
    expect(await sandbox.run(["sessions", command])).toMatchObject({
      exitCode: 0,
      stderr: `coppice: ${notice}\n`,
    });
  }
  const events = jsonLines((await sandbox.run(demo("again", "-c", "--mode", "json"))).stdout);
  expect(events[1]).toEqual({ type: "diagnostic", level: "warning", message: notice });
  const run = await sandbox.run(demo("what did I ask so far?", "-c"));
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello") });
  expect(run.stderr).toContain(`coppice: ${notice}\n`);
});

test("B020: --session takes an empty file, which becomes a session with the first prompt", async () => {
  await using sandbox = await createSandbox();
  const path = join(sandbox.project, "empty.jsonl");
  await writeFile(path, "");
  expect(await sandbox.run(demo("hello", "--session", "empty.jsonl"))).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const [header, ...entries] = jsonLines(await readFile(path, "utf8"));
  expect(header).toMatchObject({ type: "session", version: 3, cwd: sandbox.project });
  expect(entries.length).toBeGreaterThan(1);
  const again = await sandbox.run(demo("what did I ask so far?", "--session", path));
  expect(again.stdout).toContain("hello");
});

test("B009: a session that is in use is refused with its lock, what to do, and exit code 2", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(demo("hello"));
  const [path = ""] = await sandbox.sessionFiles();
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 7, host: "another-host", startTime: "x" }));
  const run = await sandbox.run(demo("hi", "-c"));
  expect(run).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: [
      `coppice: process 7 on another-host is writing the session; its lock is ${path}.lock.`,
      "  If nothing on another-host writes it any more, delete the lock file.",
      "  Close the other process, or go on in a copy: `coppice --fork ID`.",
      "",
    ].join("\n"),
  });
});

test("a session that cannot be written is told once, with the ways out", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.project, "file");
  await writeFile(file, "");
  const { exitCode, stdout, stderr } = await sandbox.run(
    demo("hello", "--session-dir", join(file, "sessions")),
  );
  expect([exitCode, stdout]).toEqual([1, ""]);
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^error: \d+ session entr.* could not be written: .*ENOTDIR/);
  expect(lines[2]).toMatch(/--session-dir.*--no-session/);
  expect(stderr).not.toMatch(/retried|mkdir/);
});
