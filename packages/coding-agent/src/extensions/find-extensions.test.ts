import { expect, test } from "vitest";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { type FindExtensionsOptions, findExtensions } from "./find-extensions.ts";
import { parseExtensionSpec } from "./package-name.ts";

async function find(content: Readonly<Record<string, string>>, options: Partial<FindExtensionsOptions> = {}) {
  const { files } = createMemoryEnvironment({ files: content });
  const { found, diagnostics } = await findExtensions({
    ...{ files, userExtensions: "/home/.coppice/extensions", homeDirectory: "/home" },
    ...options,
  });
  return {
    found: found.map(({ name, path, source }) => `${source} ${name} ${path}`),
    diagnostics: diagnostics.map(({ message }) => message),
  };
}

test("files and folders right in the user folder are extensions; tests, declarations and packages are not", async () => {
  const at = "/home/.coppice/extensions";
  expect(
    await find({
      [`${at}/b.mjs`]: "",
      [`${at}/a.ts`]: "",
      [`${at}/a.test.ts`]: "",
      [`${at}/a.d.ts`]: "",
      [`${at}/_draft.ts`]: "",
      [`${at}/.hidden.ts`]: "",
      [`${at}/notes.md`]: "",
      [`${at}/package.json`]: "{}",
      [`${at}/node_modules/x/index.ts`]: "",
      [`${at}/folder/index.ts`]: "",
      [`${at}/main/package.json`]: '{"name": "with-main", "main": "lib/start.js"}',
      [`${at}/main/lib/start.js`]: "",
      [`${at}/many/package.json`]: '{"coppice": {"extensions": ["one.ts", "./two.ts"]}, "main": "other.js"}',
      [`${at}/many/one.ts`]: "",
      [`${at}/many/two.ts`]: "",
      [`${at}/data/file.json`]: "",
    }),
  ).toEqual({
    found: [
      `user a ${at}/a.ts`,
      `user b ${at}/b.mjs`,
      `user folder ${at}/folder/index.ts`,
      `user with-main ${at}/main/lib/start.js`,
      `user many/one ${at}/many/one.ts`,
      `user many/two ${at}/many/two.ts`,
    ],
    diagnostics: [],
  });
});

test("CX-13: command line over project over user over package, and each file once", async () => {
  const at = "/home/.coppice/extensions";
  const content = {
    [`${at}/mine.ts`]: "",
    [`${at}/node_modules/@s/p/package.json`]: '{"name": "@s/p", "main": "index.ts"}',
    [`${at}/node_modules/@s/p/index.ts`]: "",
    "/code/.coppice/extensions/ours.ts": "",
    "/repo/now.ts": "",
  };
  const { found } = await find(content, {
    projectExtensions: "/code/.coppice/extensions",
    named: [
      {
        source: "user",
        specs: ["@s/p", "./extensions/mine.ts", "~/.coppice/extensions/mine.ts"],
        base: "/home/.coppice",
      },
      { source: "project", specs: ["./extensions/ours.ts"], base: "/code/.coppice" },
      { source: "cli", specs: ["./now.ts"], base: "/repo" },
    ],
  });
  expect(found).toEqual([
    "cli now /repo/now.ts",
    "project ours /code/.coppice/extensions/ours.ts",
    `user mine ${at}/mine.ts`,
    `package @s/p ${at}/node_modules/@s/p/index.ts`,
  ]);
});

test("B243: a project may name only what trust was given for, and nothing while it is not trusted", async () => {
  const content = { "/code/tools/x.ts": "", "/code/.coppice/extensions/y.ts": "" };
  const named = [
    { source: "project", specs: ["../tools/x.ts", "./extensions/y.ts"], base: "/code/.coppice" },
  ] as const;
  expect(await find(content, { projectExtensions: "/code/.coppice/extensions", named })).toEqual({
    found: ["project y /code/.coppice/extensions/y.ts"],
    diagnostics: [
      "The extension ../tools/x.ts is left out: a project's extensions must lie in /code/.coppice/extensions.",
    ],
  });
  expect(await find(content, { named })).toEqual({
    found: [],
    diagnostics: [
      "The extension ../tools/x.ts is left out: the project is not trusted.",
      "The extension ./extensions/y.ts is left out: the project is not trusted.",
    ],
  });
});

test("CX-09: each name that cannot be used is one diagnostic that says why", async () => {
  const at = "/home/.coppice/extensions";
  const content = {
    [`${at}/broken/package.json`]: "{",
    [`${at}/gone/package.json`]: '{"main": "nowhere.js"}',
    [`${at}/out/package.json`]: '{"coppice": {"extensions": ["../../auth.ts"]}}',
    "/home/auth.ts": "",
    "/home/.coppice/auth.ts": "",
    [`${at}/list/package.json`]: '{"coppice": {"extensions": "index.ts"}}',
    "/home/.coppice/text.md": "",
    "/home/.coppice/empty/readme.md": "",
  };
  const { found, diagnostics } = await find(content, {
    named: [
      {
        source: "user",
        specs: ["not-there", "./text.md", "./empty", "./nowhere.ts", "../evil/..", "git:host/x", "a b"],
        base: "/home/.coppice",
      },
    ],
  });
  expect(found).toEqual([]);
  expect(diagnostics).toEqual([
    "The extension not-there is left out: not-there is not installed; `coppice extensions install not-there` does that.",
    "The extension /home/.coppice/text.md is left out: /home/.coppice/text.md is neither .ts, .mts, .js nor .mjs.",
    "The extension /home/.coppice/empty is left out: there is neither a package.json that names an extension nor an index file.",
    expect.stringMatching(/^The extension \/home\/.coppice\/nowhere.ts is left out: .*ENOENT/),
    "The extension /home is left out: there is neither a package.json that names an extension nor an index file.",
    expect.stringContaining('"git:host/x" names no extension'),
    expect.stringContaining('"a b" names no extension'),
    expect.stringMatching(/broken is left out: .*package.json cannot be used/),
    expect.stringMatching(/gone is left out: .*nowhere.js/),
    expect.stringMatching(/list is left out: .*is no list of files/),
    expect.stringMatching(/out is left out: .*leads out of its folder/),
  ]);
});

test.each([
  ["./x.ts", { kind: "path", path: "./x.ts" }],
  ["..", { kind: "path", path: ".." }],
  ["/x", { kind: "path", path: "/x" }],
  ["~/x", { kind: "path", path: "~/x" }],
  ["C:\\x", { kind: "path", path: "C:\\x" }],
  ["name", { kind: "package", name: "name" }],
  ["@scope/name.js", { kind: "package", name: "@scope/name.js" }],
])("CX-20: %s is read as what it is", (text, spec) => {
  expect(parseExtensionSpec(text)).toEqual(spec);
});

test.each([
  "",
  "a/b",
  "@scope",
  "@scope/",
  "@../x",
  "@scope/..",
  "@scope/a/../../b",
  "name@1.0.0",
  "node_modules",
  "UPPER",
  "git+ssh://host/x",
  "https://host/x.tgz",
  "--flag",
  "a\nb",
])("CX-20: %j is no name of an extension", (text) => {
  expect(() => parseExtensionSpec(text)).toThrow("names no extension");
});
