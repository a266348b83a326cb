import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createForeignPlayground, layForeignProject, setTestScript } from "./foreign-project.ts";
import {
  createPlayground,
  jsonLines,
  runCoppice,
  sessionFiles,
  startCoppice,
  until,
} from "./spawn-coppice.ts";

const ask = (prompt: string, ...more: string[]) => ["--model", "demo", "-p", prompt, ...more];

test("the demo model explains a real project that is not ours, and every name it gives stands in the files", async () => {
  await using playground = await createPlayground();
  const facts = await layForeignProject(playground);
  const run = await runCoppice({ playground, args: ask("explain this project") });

  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  for (const fact of [`${facts.name} ${facts.version}`, facts.description, `\`${facts.main}\``]) {
    expect(run.stdout).toContain(fact);
  }
  const claims = [...run.stdout.matchAll(/^- `([^`]+)` \(\d+ lines read\): (.*)$/gm)];
  expect(claims.length).toBeGreaterThan(0);
  for (const [, path = "", text = ""] of claims) {
    const lines = (await readFile(join(playground.project, path), "utf8")).split("\n");
    const names = [...text.matchAll(/`([^`]+)` \(line (\d+)\)/g)];
    for (const [, name = "", line] of names) expect(lines[Number(line) - 1]).toContain(name);
  }
  expect(run.stdout).toContain("offline demo");
  expect(run.stderr).toMatch(/\bls\b[\s\S]*\bread\b/);
});

test("a demo session is on disk, private, and --continue answers a follow-up with the history in its context", async () => {
  await using playground = await createForeignPlayground();
  await runCoppice({ playground, args: ask("explain this project") });
  const [path = ""] = await sessionFiles(playground);
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const run = await runCoppice({ playground, args: ask("what did I ask so far?", "--continue") });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("“explain this project”");
  expect(run.stdout).toContain("read README.md");
  expect(await sessionFiles(playground)).toEqual([path]);
});

test("after kill -9 in the middle of a tool, --continue marks its outcome unknown and works again", async () => {
  await using playground = await createForeignPlayground();
  await setTestScript(playground, "echo $$ > sleeping.pid; exec sleep 60");
  const { child, ended } = startCoppice({ playground, args: ask("run the tests") });
  const sleeper = await until(async () => {
    const text = await readFile(join(playground.project, "sleeping.pid"), "utf8").catch(() => "");
    return text.trim() === "" ? undefined : Number(text);
  });
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ signal: "SIGKILL" });
  process.kill(sleeper, "SIGKILL");

  const run = await runCoppice({ playground, args: ask("what did I ask so far?", "--continue") });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("“run the tests”");
  expect(run.stdout).toContain("bash npm test (interrupted; its outcome is unknown)");

  const [path = ""] = await sessionFiles(playground);
  const entries = jsonLines(await readFile(path, "utf8"));
  const results = entries.flatMap((entry) => {
    const message = entry.message as {
      role?: string;
      toolName?: string;
      isError?: boolean;
      content?: unknown;
    };
    return message?.role === "toolResult" && message.toolName === "bash" ? [message] : [];
  });
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ isError: true });
  expect(JSON.stringify(results[0]?.content)).toMatch(/outcome.*unknown|unknown.*outcome/i);
  const session = await new JsonlRepo({ directory: join(playground.home, ".coppice/sessions") }).open(path, {
    readOnly: true,
  });
  expect((await session.buildContext()).diagnostics).toEqual([]);
  await session.close();
});

test("the demo finds TODOs, says where a name is defined, runs the tests, and replaces text with a diff", async () => {
  await using playground = await createPlayground();
  const { main } = await layForeignProject(playground);
  await writeFile(join(playground.project, "notes.txt"), "one\nTODO: water the tree\nthree\n");
  await setTestScript(playground, "echo 3 tests fine");

  const todos = await runCoppice({ playground, args: ask("find TODOs") });
  expect(todos.stdout).toContain("**notes.txt**\n- line 2: `TODO: water the tree`");

  const lines = (await readFile(join(playground.project, main), "utf8")).split("\n");
  const line = lines.findIndex((text) => /^(const|function) parseJSON\b/.test(text)) + 1;
  expect(line).toBeGreaterThan(0);
  const where = await runCoppice({ playground, args: ask("where is parseJSON defined?") });
  expect(where.stdout).toContain(`**${main}:${line}**`);

  const tests = await runCoppice({ playground, args: ask("run the tests") });
  expect(tests.stdout).toContain("The tests passed");
  expect(tests.stdout).toContain("3 tests fine");

  const replace = await runCoppice({ playground, args: ask('replace "water" with "prune" in notes.txt') });
  expect(replace.stdout).toContain("-TODO: water the tree\n+TODO: prune the tree");
  expect(await readFile(join(playground.project, "notes.txt"), "utf8")).toBe(
    "one\nTODO: prune the tree\nthree\n",
  );
});
