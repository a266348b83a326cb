import { spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";

// Each test starts a Node of its own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

/** Runs in a Node of its own: modules of a test run go through the test runner, extensions must not. */
const PRELUDE = `
import { writeFileSync } from "node:fs";
import { createLocalEnvironment, loadExtensions } from "@coppice/coding-agent";
import { createScenario } from "@coppice/coding-agent/testing";
const hostModules = { "@coppice/coding-agent": () => import("@coppice/coding-agent") };
const [at] = process.argv.slice(1);
const { files } = createLocalEnvironment({ environmentVariables: {} });
const load = (options = {}) => loadExtensions({ files, userExtensions: at, hostModules, ...options });
const print = (value) => console.log(JSON.stringify(value));
`;

interface Run {
  readonly printed: unknown;
  readonly stderr: string;
}

async function run(content: Readonly<Record<string, string>>, script: string, at?: string): Promise<Run> {
  const folder = at ?? (await folderOf(content));
  const child = spawn(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module", "--eval", PRELUDE + script, folder],
    { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "pipe"] },
  );
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += chunk));
  child.stderr.on("data", (chunk) => (output.stderr += chunk));
  await new Promise((done) => child.once("close", done));
  expect(output.stderr).toBe("");
  return { printed: JSON.parse(output.stdout.replaceAll(folder, "@")), stderr: output.stderr };
}

async function folderOf(content: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(content)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const GOOD = `
import { textOf } from "@coppice/ai";
import { Type } from "typebox";
import type { Extension } from "@coppice/coding-agent";
import { suffix } from "./parts/suffix";
import { more } from "./parts/more.js";
const extension: Extension = {
  name: "good",
  setup(api) {
    api.registerTool({
      name: "good", description: "", parameters: Type.Object({}),
      execute: async () => ({ content: [{ type: "text", text: textOf("yes") + suffix + more }] }),
    });
  },
};
export default extension;
`;

test("CX-09: one broken file never takes the others down, and each is reported with its file and place", async () => {
  const { printed } = await run(
    {
      "good.ts": GOOD,
      "parts/suffix.ts": "export const suffix: string = '!';",
      "parts/more.ts": "export const more: string = '?';",
      "function.js": "export default (api) => api.setPromptSection('f', 'x');",
      "required.js": "module.exports = { setup() {} };",
      "enum/index.ts": "enum Kind { A = 'a' }\nexport default { name: Kind.A, setup() {} };",
      "throws.ts": "\nthrow new Error('no luck');",
      "syntax.ts": "export default {",
      "nothing.ts": "export const x = 1;",
      "number.ts": "export default 7;",
      "wrong.ts": "export default { setup: 'x' };",
      "missing.ts": "import 'not-installed'; export default () => {};",
    },
    `
    const { extensions, diagnostics } = await load();
    const scenario = await createScenario({ answers: [], extensions });
    print({
      names: extensions.map(({ name, path }) => [name, path]),
      tools: scenario.agent.tools.all,
      diagnostics: diagnostics.map(({ message, stack }) => [message.split("\\n")[0], stack?.split("\\n")[1]?.trim()]),
    });
    `,
  );
  expect(printed).toEqual({
    names: [
      ["a", "@/enum/index.ts"],
      ["function", "@/function.js"],
      ["good", "@/good.ts"],
      ["required", "@/required.js"],
    ],
    tools: ["good"],
    diagnostics: [
      [
        expect.stringMatching(
          /^The extension @\/missing.ts is left out: Cannot find package 'not-installed'/,
        ),
        expect.anything(),
      ],
      [
        "The extension @/nothing.ts is left out: its default export is no extension: an object with `setup`, or a function",
        null,
      ],
      [
        "The extension @/number.ts is left out: its default export is no extension: an object with `setup`, or a function",
        null,
      ],
      [expect.stringMatching(/^The extension @\/syntax.ts is left out: /), expect.toSatisfy(() => true)],
      ["The extension @/throws.ts is left out: no luck", expect.stringContaining("@/throws.ts")],
      [
        "The extension @/wrong.ts is left out: its default export is no extension: an object with `setup`, or a function",
        null,
      ],
    ],
  });
});

test("CX-17: an extension gets the running host's modules, also through a link and over copies of its own", async () => {
  const copies = {
    "node_modules/typebox/package.json": '{"name": "typebox", "main": "index.js"}',
    "node_modules/typebox/index.js": "export const Type = 'a copy';",
    "node_modules/own/package.json": '{"name": "own", "type": "module", "main": "index.ts"}',
    "node_modules/own/index.ts":
      "import { Type } from 'typebox'; export const own = Type; export const n = 1 as number;",
  };
  const real = await folderOf({
    ...copies,
    "index.ts": `
      import { Type } from "typebox";
      import { own, n } from "own";
      import * as agent from "@coppice/coding-agent";
      import * as ai from "@coppice/ai";
      import * as session from "@coppice/session";
      globalThis.seen = { Type, own, n, agent, ai, session };
      export default () => {};
    `,
  });
  const folder = await folderOf({});
  await symlink(real, join(folder, "linked"));
  const { printed } = await run(
    {},
    `
    const { extensions, diagnostics } = await load();
    const { Type } = await import("typebox");
    const [agent, ai, session] = await Promise.all(["coding-agent", "ai", "session"].map((name) => import("@coppice/" + name)));
    const same = (a, b) => Object.keys(b).every((key) => a[key] === b[key]);
    print({
      names: extensions.map(({ name }) => name),
      diagnostics,
      isHost: [globalThis.seen.Type === Type, globalThis.seen.own === Type, globalThis.seen.n],
      same: [same(globalThis.seen.agent, agent), same(globalThis.seen.ai, ai), same(globalThis.seen.session, session)],
    });
    `,
    folder,
  );
  expect(printed).toEqual({
    names: ["linked"],
    diagnostics: [],
    isHost: [true, true, 1],
    same: [true, true, true],
  });
});

test("CX-22: a reload sees what changed in the file, its parts and CommonJS, and equals a fresh start", async () => {
  const { printed } = await run(
    {
      "a.ts":
        "import { part } from './lib/part.ts'; export default (api) => api.setPromptSection('a', 'one' + part);",
      "lib/part.ts": "export const part = ' one';",
      "c.js":
        "const part = require('./c-part.cjs'); module.exports = (api) => api.setPromptSection('c', part);",
      "c-part.cjs": "module.exports = 'c one';",
      "gone.ts": "export default (api) => api.registerCommand('gone', { description: '', handler() {} });",
    },
    `
    import { rmSync } from "node:fs";
    const first = await load();
    const { agent, model } = await createScenario({ answers: () => "ok", extensions: first.extensions });
    const sections = () => ["a", "c", "d"].map((name) => new RegExp("<" + name + ">\\n(.*)\\n").exec(model.requests.at(-1).systemPrompt)?.[1]);
    await agent.prompt("go");
    const before = [sections(), agent.commands.length];
    writeFileSync(at + "/a.ts", "import { part } from './lib/part.ts'; export default (api) => api.setPromptSection('a', 'two' + part);");
    writeFileSync(at + "/lib/part.ts", "export const part = ' two';");
    writeFileSync(at + "/c-part.cjs", "module.exports = 'c two';");
    writeFileSync(at + "/d.ts", "export default (api) => api.setPromptSection('d', 'new');");
    rmSync(at + "/gone.ts");
    await agent.reloadExtensions((await load()).extensions);
    await agent.prompt("go");
    print({ before, after: [sections(), agent.commands.length], names: agent.extensionNames });
    `,
  );
  expect(printed).toEqual({
    before: [["one one", "c one", null], 1],
    after: [["two two", "c two", "new"], 0],
    names: ["a", "c", "d"],
  });
});

test("a file that never finishes is left out after its time, and the others are loaded", async () => {
  const { printed } = await run(
    {
      "hangs.ts": "await new Promise(() => {});\nexport default () => {};",
      "fine.ts": "export default () => {};",
    },
    `
    const limits = [];
    const sleep = async (ms, signal) => { limits.push(ms); if (limits.length === 2) return; await new Promise((done) => signal.addEventListener("abort", done)); };
    const keepsRunning = setInterval(() => {}, 1000);
    const { extensions, diagnostics } = await load({ sleep });
    clearInterval(keepsRunning);
    print([extensions.map(({ name }) => name), diagnostics.map(({ message }) => message), limits]);
    `,
  );
  expect(printed).toEqual([
    ["fine"],
    ["The extension @/hangs.ts is left out: no answer within 10 s to its import"],
    [10_000, 10_000],
  ]);
});
