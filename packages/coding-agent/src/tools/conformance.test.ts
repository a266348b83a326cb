import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../env/environment.ts";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { runTool } from "../testing/run-tool.ts";
import { createBuiltinTools } from "./builtin-tools.ts";
import { createGrepTool } from "./grep/tool.ts";

/** Every environment runs the same suite: what a tool says must not depend on where the files are. */
const ENVIRONMENTS: readonly { readonly name: string; readonly create: () => Environment }[] = [
  {
    name: "local",
    create: () => createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } }),
  },
  {
    name: "local without ripgrep",
    create: () => {
      const { ripgrep: _, ...rest } = createLocalEnvironment({
        environmentVariables: { PATH: "/usr/bin:/bin" },
      });
      return rest;
    },
  },
  { name: "in memory", create: () => createMemoryEnvironment() },
];

describe.each(ENVIRONMENTS)("TO-34: tools in the environment $name", ({ create }) => {
  let cwd = "";
  let environment: Environment;
  const tool = (name: string) => {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  let tools: ReturnType<typeof createBuiltinTools>;
  const call = (name: string, params: object, signal?: AbortSignal) =>
    runTool(tool(name), params, signal === undefined ? {} : { signal });
  const put = (path: string, text: string) =>
    environment.files.writeFile(join(cwd, path), new TextEncoder().encode(text));
  const contentOf = async (path: string) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await environment.files.readFile(join(cwd, path)));

  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), "coppice-tools-")));
    environment = create();
    tools = createBuiltinTools({ cwd, environment });
    await put("README.md", "# hello\n");
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  test("TO-07: write makes folders and counts bytes, read gives the same text back", async () => {
    expect(await call("write", { path: "a/b/c.txt", content: "one\ntwo 🔥\n" })).toMatchObject({
      text: "Created a/b/c.txt (13 bytes).",
      isError: false,
      details: { bytes: 13, created: true, firstChangedLine: 1 },
    });
    expect((await call("read", { path: "a/b/c.txt" })).text).toBe("one\ntwo 🔥\n");
    expect((await call("write", { path: "a/b/c.txt", content: "" })).text).toBe(
      "Replaced a/b/c.txt (0 bytes).",
    );
  });

  test("TO-11, B189: an empty file, a missing file and a folder each say what they are", async () => {
    await put("empty", "");
    expect((await call("read", { path: "empty" })).text).toBe("(empty is empty)");
    expect(await call("read", { path: "nope" })).toMatchObject({
      isError: true,
      text: "nope does not exist.",
    });
    expect(await call("read", { path: "." })).toMatchObject({
      isError: true,
      text: ". is a directory. Use ls to list it.",
    });
    expect(await call("edit", { path: "nope", edits: [{ oldText: "a", newText: "b" }] })).toMatchObject({
      isError: true,
      text: "nope does not exist.",
    });
    expect(await call("write", { path: "README.md/x", content: "" })).toMatchObject({ isError: true });
  });

  test("B189: an offset past the end names the number of lines", async () => {
    expect(await call("read", { path: "README.md", offset: 9 })).toMatchObject({
      isError: true,
      text: "Offset 9 is past the end: README.md has 1 line.",
    });
  });

  test("TO-10: all edits match the original and all are applied", async () => {
    await put("f", "one\ntwo\nthree\n");
    const edits = [
      { oldText: "three", newText: "3" },
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "one" },
    ];
    expect(await call("edit", { path: "f", edits })).toMatchObject({
      text: "Changed f (3 edits).",
      details: {
        firstChangedLine: 1,
        diff: "-1 one\n 1 two\n-3 three\n+2 one\n+3 3\n",
        patch: "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-one\n two\n-three\n+one\n+3\n",
      },
    });
    expect(await contentOf("f")).toBe("two\none\n3\n");
  });

  test("a file that changed after it was read is not edited and not replaced", async () => {
    await put("f", "one\n");
    await call("read", { path: "f" });
    await put("f", "uno\n");
    expect(await call("edit", { path: "f", edits: [{ oldText: "uno", newText: "1" }] })).toMatchObject({
      isError: true,
      text: "f has changed since it was last read. Read it again, then edit.",
    });
    expect(await call("write", { path: "f", content: "x" })).toMatchObject({ isError: true });
    expect(await contentOf("f")).toBe("uno\n");
    await call("read", { path: "f" });
    expect((await call("edit", { path: "f", edits: [{ oldText: "uno", newText: "1" }] })).isError).toBe(
      false,
    );
    expect((await call("edit", { path: "f", edits: [{ oldText: "1", newText: "2" }] })).isError).toBe(false);
  });

  test("B160, B161, TO-13: calls of one batch on one file, in every spelling, run in order", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    await put("f", numbers.map((number) => `line ${number};\n`).join(""));
    const spelling = (number: number) => ["f", "./f", join(cwd, "f"), "x/../f"][number % 4];
    const outcomes = await Promise.all([
      ...numbers.map((number) =>
        call("edit", {
          path: spelling(number),
          edits: [{ oldText: `line ${number};`, newText: `${number}` }],
        }),
      ),
      call("read", { path: "./f" }),
      call("write", { path: "f", content: "last" }),
    ]);
    expect(outcomes.filter((outcome) => outcome.isError)).toEqual([]);
    expect(outcomes[20]?.text).toBe(numbers.map((number) => `${number}\n`).join(""));
    expect(await contentOf("f")).toBe("last");
  });

  test("calls of one batch on several files see what those before them did", async () => {
    await put("old", "old\n");
    const outcomes = await Promise.all([
      call("grep", { pattern: "new" }),
      call("write", { path: "@a/new.txt", content: "new\n" }),
      call("find", { pattern: "*.txt" }),
      call("ls", { path: "a" }),
      call("grep", { pattern: "new" }),
      call("edit", { path: "old", edits: [{ oldText: "old", newText: "newer" }] }),
      call("grep", { pattern: "new", path: "old" }),
      call("read", { path: "a/new.txt" }),
    ]);
    expect(outcomes.map(({ text }) => text)).toEqual([
      "No matches (ignored files and .git are not searched).",
      "Created a/new.txt (4 bytes).",
      "a/new.txt",
      "new.txt",
      "a/new.txt:1:new",
      "Changed old (1 edit).",
      "old:1:newer",
      "new\n",
    ]);
  });

  test("B185, B188: the literal path goes first, then the path without @", async () => {
    await put("src/a.ts", "plain");
    await put("@b", "literal");
    await put("shot 3.00\u202fPM.txt", "narrow");
    expect((await call("read", { path: "@src/a.ts" })).text).toBe("plain");
    expect((await call("read", { path: "@b" })).text).toBe("literal");
    expect((await call("read", { path: "shot 3.00 PM.txt" })).text).toBe("narrow");
    expect((await call("read", { path: "shot 3.00\u202fPM.txt" })).text).toBe("narrow");
    expect((await call("write", { path: "@new.ts", content: "" })).text).toBe("Created new.ts (0 bytes).");
  });

  test("TO-02: names that are composed otherwise, or have typographic quotes, are found; the answer names what was used", async () => {
    await put("cafe\u0301.txt", "nfd");
    await put("it\u2019s.txt", "quote");
    expect((await call("read", { path: "caf\u00e9.txt" })).text).toBe("nfd");
    expect((await call("read", { path: "it's.txt" })).text).toBe("quote");
    expect((await call("edit", { path: "it's.txt", edits: [{ oldText: "quote", newText: "q" }] })).text).toBe(
      "Changed it\u2019s.txt (1 edit).",
    );
  });

  test("TO-30: every path that a search prints can be read, also from a folder above and outside", async () => {
    await put("sub/a.txt", "needle\n");
    const inSub = createBuiltinTools({ cwd: join(cwd, "sub/deeper"), environment });
    const run = (name: string, params: object) =>
      runTool(inSub.find((one) => one.name === name) ?? tool(name), params);
    const found = (await run("find", { pattern: "*.txt", path: cwd })).text;
    expect(found).toBe(join(cwd, "sub/a.txt"));
    const hit = (await run("grep", { pattern: "needle", path: ".." })).text;
    expect(hit).toBe(`${join(cwd, "sub/a.txt")}:1:needle`);
    expect((await run("read", { path: found })).text).toBe("needle\n");
    const root = (
      await run("find", { pattern: `${cwd.slice(1)}/sub/*.txt`, path: cwd.split("/").slice(0, 2).join("/") })
    ).text;
    expect(root).not.toContain("//");
  });

  test("binary files are refused by every tool that reads text", async () => {
    await put("bin", "ab\0cd");
    expect((await call("read", { path: "bin" })).text).toBe(
      "bin is a binary file (5 bytes) and cannot be shown as text.",
    );
    expect((await call("edit", { path: "bin", edits: [{ oldText: "ab", newText: "x" }] })).text).toBe(
      "bin is a binary file.",
    );
    expect((await call("grep", { pattern: "ab" })).text).toContain("No matches");
  });

  test("ls sorts, marks folders, shows hidden files and says what it left out", async () => {
    await put(".hidden", "");
    await put("b/x", "");
    await put("a", "");
    expect(await call("ls", {})).toMatchObject({ text: ".hidden\nREADME.md\na\nb/", details: {} });
    expect(await call("ls", { limit: 3 })).toMatchObject({
      text: ".hidden\nREADME.md\na\n[1 of 4 entries not shown. Use a larger limit or find.]",
      details: { entryLimitReached: 3 },
    });
    expect((await call("ls", { limit: 4 })).details).toEqual({});
    expect((await call("ls", { path: "a" })).text).toBe("a is not a directory.");
  });

  test("B193: hidden files are searched, ignored ones and .git are not, and an empty result says so", async () => {
    await put(".gitignore", ".env\nbuild/\n*.log\n!keep.log\n");
    await put(".env", "needle\n");
    await put(".ci.yml", "needle\n");
    await put("build/x.ts", "needle\n");
    await put(".git/config", "needle\n");
    await put("drop.log", "needle\n");
    await put("keep.log", "needle\n");
    await put("sub/.gitignore", "/only-here\n");
    await put("sub/only-here", "needle\n");
    await put("sub/deep/only-here", "needle\n");
    expect((await call("grep", { pattern: "needle" })).text).toBe(
      ".ci.yml:1:needle\nkeep.log:1:needle\nsub/deep/only-here:1:needle",
    );
    expect((await call("grep", { pattern: "needle", glob: "*.ts" })).text).toBe(
      "No matches (ignored files and .git are not searched).",
    );
    expect((await call("grep", { pattern: "needle", glob: ".env*" })).text).toContain("No matches");
    expect((await call("find", { pattern: "*" })).text.split("\n")).toEqual([
      ".ci.yml",
      ".gitignore",
      "README.md",
      "keep.log",
      "sub/",
      "sub/.gitignore",
      "sub/deep/",
      "sub/deep/only-here",
    ]);
  });

  test.each(["--foo", "-e", "-f/etc/passwd", "--pre=touch x", "--help"])(
    "B191, TO-23: the pattern %s is searched for, not obeyed",
    async (pattern) => {
      await put("opts", `a ${pattern} b\n`);
      expect((await call("grep", { pattern, literal: true })).text).toBe(`opts:1:a ${pattern} b`);
      expect((await call("grep", { pattern, path: "opts" })).text).toBe(`opts:1:a ${pattern} b`);
    },
  );

  test("TO-25: context and line numbers agree with those of read, also with CR and CRLF", async () => {
    await put("f", "a\rb\r\nneedle\r\nc\nd\ne\nneedle\n");
    expect((await call("grep", { pattern: "needle$", path: "f", context: 1 })).text).toBe(
      "f-1-a\rb\nf:2:needle\nf-3-c\n--\nf-5-e\nf:6:needle",
    );
    expect((await call("read", { path: "f", offset: 6, limit: 1 })).text).toBe("needle\n");
  });

  test("AU-08: a search leaves out files that may not be read, and says so", async () => {
    await put("closed/keys", "needle 1\nneedle 2\n");
    await put("open", "needle 3\n");
    const closed = join(await environment.files.realPath(cwd), "closed/keys");
    const grep = createGrepTool({ cwd, environment, mayRead: (path) => path !== closed });
    const search = (params: object) => runTool(grep, { pattern: "needle", ...params });
    expect(await search({ limit: 1 })).toMatchObject({
      text: "open:1:needle 3\n\n[Matches in files that may not be read are left out.]",
      details: {},
    });
    expect((await search({ path: "closed" })).text).toBe(
      "No matches (ignored files and .git are not searched).\n[Matches in files that may not be read are left out.]",
    );
  });

  test.each([
    { limit: 2, reached: 2, shown: 2 },
    { limit: 3, reached: undefined, shown: 3 },
    { limit: 4, reached: undefined, shown: 3 },
    { limit: 0, reached: 1, shown: 1 },
    { limit: -1, reached: 1, shown: 1 },
  ])("TO-28: limit $limit of three", async ({ limit, reached, shown }) => {
    await put("x1", "hit\n");
    await put("x2", "hit\nhit\n");
    const grep = await call("grep", { pattern: "hit", limit });
    expect(grep.details).toEqual(reached === undefined ? {} : { matchLimitReached: reached });
    expect(grep.text.split("\n").filter((line) => line.includes(":hit"))).toHaveLength(shown);
    await put("x3", "");
    const find = await call("find", { pattern: "x*", limit });
    expect(find.details).toEqual(reached === undefined ? {} : { resultLimitReached: reached });
    expect(find.text.split("\n").filter((line) => /^x\d$/.test(line))).toHaveLength(shown);
  });

  test.each([
    { pattern: "*.ts", path: undefined, expected: "src/a.ts\nsrc/deep/b.ts" },
    { pattern: "./src/*.ts", path: undefined, expected: "src/a.ts" },
    { pattern: "**/*.ts", path: "src", expected: "src/a.ts\nsrc/deep/b.ts" },
    { pattern: "*.ts", path: "./src/deep/", expected: "src/deep/b.ts" },
    { pattern: "src/**", path: undefined, expected: "src/a.ts\nsrc/deep/\nsrc/deep/b.ts" },
    { pattern: "deep", path: undefined, expected: "src/deep/" },
    { pattern: "deep/*.{ts,js}", path: "src", expected: "src/deep/b.ts" },
    { pattern: "[ab].t?", path: undefined, expected: "src/a.ts\nsrc/deep/b.ts" },
  ])("TO-26: find $pattern in $path", async ({ pattern, path, expected }) => {
    await put("src/a.ts", "");
    await put("src/deep/b.ts", "");
    expect((await call("find", path === undefined ? { pattern } : { pattern, path })).text).toBe(expected);
  });

  test("long lines of a match are cut and marked", async () => {
    await put("min.js", `needle${"x".repeat(5000)}\n`);
    const { text, details } = await call("grep", { pattern: "needle" });
    expect(text.length).toBeLessThan(620);
    expect(details).toEqual({ linesTruncated: true });
  });

  test("a name with a line break is one name, in every list and for every tool", async () => {
    await put("weird\nname.txt", "needle\n");
    await put("odd\u202e\nfolder/name.txt", "a\nneedle\n");
    await put("name.txt", "nothing\n");
    expect((await call("find", { pattern: "*" })).text).toBe(
      'README.md\nname.txt\n"odd\\u202e\\nfolder/"\n"odd\\u202e\\nfolder/name.txt"\n"weird\\nname.txt"',
    );
    expect((await call("ls", {})).text).toBe(
      'README.md\nname.txt\n"odd\\u202e\\nfolder/"\n"weird\\nname.txt"',
    );
    expect((await call("grep", { pattern: "needle", context: 1 })).text).toBe(
      '"odd\\u202e\\nfolder/name.txt"-1-a\n"odd\\u202e\\nfolder/name.txt":2:needle\n--\n"weird\\nname.txt":1:needle',
    );
    expect((await call("read", { path: "weird\nname.txt" })).text).toBe("needle\n");
    expect((await call("read", { path: "no\nname" })).text).toBe('"no\\nname" does not exist.');
  });

  test.each([
    {
      pattern: "[bad",
      text: "The pattern [bad has a [ that is not closed. Write \\[ for the character itself.",
    },
    {
      pattern: "{a,b",
      text: "The pattern {a,b has a { that is not closed. Write \\{ for the character itself.",
    },
    {
      pattern: "../*",
      text: "The pattern ../* leaves the searched folder: give the folder as path, and a pattern relative to it.",
    },
    {
      pattern: "a/[z-a]",
      text: "The pattern a/[z-a] has a [ ] that cannot be read, such as a range from z to a.",
    },
  ])(
    "the pattern $pattern is refused with its problem, not just without results",
    async ({ pattern, text }) => {
      expect(await call("find", { pattern })).toMatchObject({ isError: true, text });
      expect(await call("grep", { pattern: "x", glob: pattern })).toMatchObject({ isError: true, text });
    },
  );

  test("a NUL character in a path is named by every tool", async () => {
    const path = "a\0b";
    for (const [name, params] of [
      ["read", { path }],
      ["write", { path, content: "" }],
      ["edit", { path, edits: [{ oldText: "a", newText: "b" }] }],
      ["ls", { path }],
      ["find", { path, pattern: "*" }],
      ["grep", { path, pattern: "x" }],
    ] as const) {
      expect(await call(name, params)).toMatchObject({
        isError: true,
        text: "The path has a NUL character in it, which no file name can.",
      });
    }
    expect(await call("bash", { command: "echo a\0b" })).toMatchObject({
      isError: true,
      text: "The command has a NUL character in it.",
    });
  });

  test.each([
    { params: { offset: -5 }, text: "offset is a line from 1 on, not -5." },
    { params: { limit: 0 }, text: "limit is at least 1, not 0." },
    { params: { byteOffset: -1 }, text: "byteOffset is a byte from 0 on, not -1." },
  ])("read refuses $params", async ({ params, text }) => {
    expect(await call("read", { path: "README.md", ...params })).toMatchObject({ isError: true, text });
  });

  test("a pattern that cannot be read is an error result", async () => {
    expect(await call("grep", { pattern: "(" })).toMatchObject({ isError: true });
    expect((await call("grep", { pattern: "(", literal: true })).isError).toBe(false);
    expect(await call("find", { pattern: " " })).toMatchObject({ isError: true });
  });

  test("after an abort no tool does anything", async () => {
    const signal = AbortSignal.abort();
    for (const [name, params] of [
      ["read", { path: "README.md" }],
      ["write", { path: "x", content: "x" }],
      ["edit", { path: "README.md", edits: [{ oldText: "hello", newText: "x" }] }],
      ["grep", { pattern: "hello" }],
      ["find", { pattern: "*" }],
      ["ls", {}],
    ] as const) {
      expect(await call(name, params, signal)).toMatchObject({ isError: true });
    }
    expect((await call("ls", {})).text).toBe("README.md");
    expect(await contentOf("README.md")).toBe("# hello\n");
  });
});
