import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { COMMANDS } from "../src/command-names.ts";
import { FLAGS } from "../src/flags.ts";
import { SHELLS, shellCompletions } from "../src/shell-completions.ts";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 90_000 });

test("auth set takes a key from a pipe, auth list names it without showing it, a run uses it, auth remove forgets it", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [{ content: [scriptedText("ok")] }] });
  await mkdir(join(sandbox.home, ".coppice"));
  const providers = { team: { baseUrl: wire.baseUrl("openai-completions"), models: [{ id: "x" }] } };
  await writeFile(join(sandbox.home, ".coppice/models.json"), JSON.stringify({ providers }));
  const set = await sandbox.run(["auth", "set", "team"], { stdin: `${wire.apiKey}\n` });
  expect(set).toMatchObject({ exitCode: 0, stdout: "" });
  const file = join(sandbox.home, ".coppice/auth.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const list = await sandbox.run(["auth", "list"], { env: { OPENAI_API_KEY: "sk-of-openai" } });
  expect(list.stdout).toMatch(/^openai +\$OPENAI_API_KEY\nteam +stored\n$/);
  expect([set.stderr, list.stdout, list.stderr].join()).not.toMatch(/sk-of-openai|test-key/);
  expect(await sandbox.run(["--model", "team/x", "-p", "hi"])).toMatchObject({ exitCode: 0, stdout: "ok\n" });

  expect(await sandbox.run(["auth", "remove", "team"])).toMatchObject({ exitCode: 0 });
  expect(await readFile(file, "utf8")).not.toContain(wire.apiKey);
  expect(await sandbox.run(["auth", "remove", "team"])).toMatchObject({ exitCode: 2 });
});

test.each([
  { name: "no key at all", args: ["auth", "set", "anthropic"], stdin: "\n", says: "no key" },
  { name: "two words", args: ["auth", "set", "anthropic"], stdin: "a b\n", says: "one word" },
  { name: "an unknown provider", args: ["auth", "set", "antropic"], stdin: "k\n", says: "antropic" },
  { name: "a key on the command line", args: ["auth", "set", "anthropic", "sk-1"], stdin: "", says: "Use" },
  { name: "an unknown verb", args: ["auth", "lst"], stdin: "", says: "Did you mean `coppice auth list`?" },
])("auth refuses $name", async ({ args, stdin, says }) => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(args, { stdin });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(says);
});

test("config changes one setting and keeps comments; a value that is none is refused and nothing is written", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, ".coppice/settings.json");
  await mkdir(join(sandbox.home, ".coppice"));
  await writeFile(file, '{\n  // mine\n  "model": "demo"\n}\n');
  const config = (...args: readonly string[]) => sandbox.run(["config", ...args]);
  expect(await config("set", "compaction.threshold", "0.5")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await config("set", 'compaction.modelOverrides."a/b.c".enabled', "false")).toMatchObject({
    exitCode: 0,
  });
  expect(await readFile(file, "utf8")).toContain("// mine");
  expect(await config("list")).toMatchObject({
    stdout: 'model = "demo"\ncompaction.threshold = 0.5\ncompaction.modelOverrides."a/b.c".enabled = false\n',
  });
  expect(await config("get", "compaction.threshold")).toMatchObject({ stdout: "0.5\n" });
  expect(await config("get", "model")).toMatchObject({ stdout: "demo\n" });
  const before = await readFile(file, "utf8");
  for (const wrong of [
    ["compaction.threshold", "2"],
    ["nothing", "1"],
    ["constructor", "1"],
  ]) {
    expect(await config("set", ...wrong)).not.toMatchObject({ exitCode: 0 });
  }
  expect((await config("set", "permissions.mode", "bogus")).stderr).toContain(
    'must be one of "read-only", "ask", "auto"',
  );
  expect(await readFile(file, "utf8")).toBe(before);
  expect(await config("unset", "compaction.threshold")).toMatchObject({ exitCode: 0 });
  expect(await config("get", "compaction.threshold")).toMatchObject({ exitCode: 2 });
  expect(await config("path")).toMatchObject({ stdout: `${file}\n` });
  expect(await config("set", "--project", "thinkingLevel", "high")).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(sandbox.project, ".coppice/settings.json"), "utf8")).toContain("high");
});

test("config set warns of a theme or a model that is not there, and saves it", async () => {
  await using sandbox = await createSandbox();
  const config = (...args: readonly string[]) => sandbox.run(["config", ...args]);
  for (const [name, says] of [
    ["theme", 'There is no theme "bogus"'],
    ["model", "bogus"],
  ] as const) {
    const run = await config("set", name, "bogus");
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toMatch(new RegExp(`^coppice: It is saved, but: .*${says}`));
  }
  expect(await config("set", "theme", "dark")).toMatchObject({ exitCode: 0, stderr: "" });
});

test("export says why a page cannot be written, and leaves nothing behind", async () => {
  await using sandbox = await createSandbox();
  await sandbox.run(["--model", "demo", "-p", "hello"]);
  await writeFile(join(sandbox.project, "file"), "x");
  for (const [target, says] of [
    ["no/such/folder/page.html", "its folder is not there"],
    ["file/page.html", "its folder is a file"],
  ] as const) {
    const run = await sandbox.run(["export", "-o", target]);
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toMatch(
      new RegExp(`^coppice: .*page\\.html cannot be written: ${says}\\n +Name a file`),
    );
  }
  expect(await readdir(sandbox.project)).toEqual(["file"]);
});

test("models is the list of models, and --list-models too", async () => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["models", "demo"]);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^coppice\/demo .* ready\n$/) });
  expect(await sandbox.run(["--list-models", "demo"])).toEqual(run);
});

test("every command has help of its own or shows that of all, and a misspelt command line is a usage error", async () => {
  await using sandbox = await createSandbox();
  for (const name of Object.keys(COMMANDS)) {
    const run = await sandbox.run([name, "--help"]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toContain(`coppice ${name}`);
  }
  expect(await sandbox.run(["completions", "csh"])).toMatchObject({ exitCode: 2, stdout: "" });
});

test.each(SHELLS)("the completions for %s name every command and flag", (shell) => {
  const script = shellCompletions(shell);
  const flag = (name: string) => (shell === "fish" ? `-l ${name}` : `--${name}`);
  const missing = [...Object.keys(FLAGS).map(flag), ...Object.keys(COMMANDS)].filter(
    (word) => !script.includes(word),
  );
  expect(missing).toEqual([]);
});

test("bash completes commands, verbs, flags and their values with the script", () => {
  const complete = (line: string) => {
    const words = line.split(" ");
    const script = `${shellCompletions("bash")}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_coppice; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { cwd: import.meta.dirname, encoding: "utf8" });
  };
  expect(complete("coppice sess").stdout).toBe("sessions\n");
  expect(complete("coppice sessions sh").stdout).toBe("show\n");
  expect(complete("coppice --thinking hi").stdout).toBe("high\n");
  expect(complete("coppice --permission").stdout).toBe("--permission-mode\n");
  expect(complete("coppice --no-").stderr).toBe("");
});
