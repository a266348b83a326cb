import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalEnvironment } from "../../env/local-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createFindTool } from "../find/tool.ts";
import { createGrepTool } from "../grep/tool.ts";
import { createLsTool } from "../ls/tool.ts";
import { compileGlob } from "./glob.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "coppice-search-")));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const local = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
const { ripgrep, ...plain } = local;

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
}

test("TO-27: the files found are those that git would add", async () => {
  await put({
    ".gitignore": "*.log\n/top\nbuild/\n!build/keep\ndocs/*.tmp\n**/cache\n\\#odd\ntrail   \n",
    "a.log": "",
    "#odd": "",
    trail: "",
    top: "",
    "sub/top": "",
    "sub/.gitignore": "local\n!*.log\n",
    "sub/local": "",
    "sub/x.log": "",
    "other/local": "",
    "build/keep": "",
    "deep/build/x": "",
    "docs/a.tmp": "",
    "docs/deep/a.tmp": "",
    "x/cache/y": "",
    "x/cached": "",
  });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
  git("init", "-q");
  const expected = git("ls-files", "-o", "--exclude-standard").trimEnd().split("\n").sort();
  for (const environment of [local, plain]) {
    const { text } = await runTool(createFindTool({ cwd, environment }), { pattern: "**" });
    const files = text.split("\n").filter((path) => !path.endsWith("/"));
    expect(files.map((path) => path.replace(/^"|"$/g, ""))).toEqual(expected);
  }
});

test("TO-24: a ripgrep configuration file changes nothing", async () => {
  await put({ "a.txt": "axb\n", rc: "--fixed-strings\n" });
  const environment = createLocalEnvironment({
    environmentVariables: { RIPGREP_CONFIG_PATH: join(cwd, "rc") },
  });
  expect((await runTool(createGrepTool({ cwd, environment }), { pattern: "a.b" })).text).toBe("a.txt:1:axb");
});

test("B194, TO-29: an abort kills the search", async () => {
  await put({ "a.txt": "hit\n".repeat(10) });
  const controller = new AbortController();
  const stalled = {
    ...plain,
    ripgrep: (_args: readonly string[], options: { readonly signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(options.signal.reason));
        controller.abort(new Error("stopped"));
      }),
  };
  const outcome = await runTool(
    createGrepTool({ cwd, environment: stalled }),
    { pattern: "hit" },
    { signal: controller.signal },
  );
  expect(outcome).toMatchObject({ isError: true, text: "stopped" });
});

test("B195, TO-31: without its helper the search goes on by itself", async () => {
  await put({ "a.txt": "hit\n" });
  const missing = Object.assign(new Error("no ripgrep"), { code: "ENOENT" });
  const environment = { ...plain, ripgrep: () => Promise.reject(missing) };
  expect((await runTool(createGrepTool({ cwd, environment }), { pattern: "hit" })).text).toBe("a.txt:1:hit");
  expect((await runTool(createFindTool({ cwd, environment }), { pattern: "*.txt" })).text).toBe("a.txt");
});

test("names that are not UTF-8 are told apart from others", async () => {
  await writeFile(Buffer.concat([Buffer.from(`${cwd}/caf`), Buffer.from([0xe9])]), "hit\n");
  const note = "[Names with \ufffd are not valid UTF-8; only commands can reach those files.]";
  for (const environment of [local, plain]) {
    expect((await runTool(createFindTool({ cwd, environment }), { pattern: "*" })).text).toBe(
      `caf\ufffd\n\n${note}`,
    );
    expect((await runTool(createLsTool({ cwd, environment }), {})).text).toBe(`caf\ufffd\n${note}`);
  }
  expect((await runTool(createGrepTool({ cwd, environment: local }), { pattern: "hit" })).text).toBe(
    `caf\ufffd:1:hit\n\n${note}`,
  );
});

test("a file that is binary from the middle on does not hide what is found after it", async () => {
  await put({ "a.bin": `hit\n${"x".repeat(200_000)}\0\nhit\n`, "b.txt": "hit\n" });
  const { text } = await runTool(createGrepTool({ cwd, environment: local }), { pattern: "hit", context: 1 });
  expect(text).toContain("b.txt:1:hit");
});

test("the local environment has ripgrep", async () => {
  const lines: string[] = [];
  const exit = await ripgrep?.(["--version"], {
    cwd,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line) > 0,
  });
  expect(exit?.exitCode).toBe(0);
  expect(lines[0]).toMatch(/^ripgrep \d+/);
});

describe("globs", () => {
  test.each([
    { glob: "*.ts", yes: ["a.ts", ".a.ts", "x/y/a.ts"], no: ["a.tsx", "ats"] },
    { glob: "src/*.ts", yes: ["src/a.ts"], no: ["src/x/a.ts", "x/src/a.ts"] },
    { glob: "./src/*.ts", yes: ["src/a.ts"], no: ["a.ts"] },
    { glob: "/a.ts", yes: ["a.ts"], no: ["x/a.ts"] },
    { glob: "src/**/a", yes: ["src/a", "src/x/a", "src/x/y/a"], no: ["src/xa"] },
    { glob: "**/a/*", yes: ["a/b", "x/a/b"], no: ["a", "a/b/c"] },
    { glob: "a/**", yes: ["a/b", "a/b/c"], no: ["a", "ab"] },
    { glob: "*.{ts,tsx}", yes: ["a.ts", "a.tsx"], no: ["a.t", "a.{ts,tsx}"] },
    { glob: "[!a-c]?", yes: ["d1", "x/zz"], no: ["a1", "d"] },
    { glob: "\\*", yes: ["*"], no: ["a"] },
    { glob: "a(1)+.$", yes: ["a(1)+.$"], no: ["a1.$"] },
    { glob: "[", yes: ["["], no: ["a"] },
    { glob: "?.txt", yes: ["🔥.txt"], no: [".txt"] },
  ])("$glob", ({ glob, yes, no }) => {
    const matches = compileGlob(glob);
    expect({ yes: yes.filter(matches), no: no.filter(matches) }).toEqual({ yes, no: [] });
  });
});
