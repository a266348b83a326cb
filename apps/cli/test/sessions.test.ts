import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
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

test("a session goes on in its own directory, or here with a notice when that is gone", async () => {
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
  const here = await sandbox.run(demo("find TODOs", "--session", path));
  expect(here.stderr).toContain(`the session's directory ${other} is gone; working in ${sandbox.project}`);
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
