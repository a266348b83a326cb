import { spawnSync } from "node:child_process";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program and npm several times.
vi.setConfig({ testTimeout: 180_000 });

const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const hasNpm = spawnSync("npm", ["--version"], { env: { PATH } }).status === 0;
if (!hasNpm) console.warn("Packages of extensions are not tested: there is no npm here.");

const COMMAND = `
import { Type } from "typebox";
import type { ExtensionApi } from "@coppice/coding-agent";
export default (api: ExtensionApi) => {
  api.registerCommand("shout", {
    description: "Shouts.",
    handler: (text) => text.toUpperCase() + typeof Type.Object,
  });
};
`;

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test("CX-24: a program that is done ends, whatever its extensions hold on to", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, ".coppice/extensions");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "holds.ts"),
    `import { createServer } from "node:net";
     setInterval(() => {}, 1000);
     createServer().listen(0, "127.0.0.1");
     export default (api) => api.onUnload(() => new Promise(() => {}));`,
  );
  for (const args of [["--model", "demo", "-p", "hi"], ["extensions"], ["--help"], ["--version"]]) {
    expect(await sandbox.run(args)).toMatchObject({ exitCode: 0 });
  }
});

test("extensions of the user are at work in a run; a broken one is told and costs nothing else", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, ".coppice/extensions");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "shout.ts"), COMMAND);
  await writeFile(join(folder, "broken.ts"), "throw new Error('no luck');");
  await writeFile(join(folder, "unset.ts"), "export default () => { throw new Error('no server'); };");
  const run = await sandbox.run(["--model", "demo", "-p", "/shout hello"]);
  expect(run).toMatchObject({ exitCode: 0, stdout: "HELLOfunction\n" });
  expect(run.stderr).toContain("broken.ts is left out: no luck");
  expect(run.stderr).toMatch(/unset\.ts\) could not be set up and is left out: no server/);
  const list = await sandbox.run(["extensions"]);
  expect(list.stdout).toMatch(
    /^broken +user +.+broken\.ts\nshout +user +.+shout\.ts\nunset +user +.+unset\.ts\n$/,
  );
});

test("--extension uses what it names for one run, in every mode, untrusted project or not; one that cannot be used ends the run before anything is sent", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: ["never"] });
  const folder = join(sandbox.project, "my");
  await mkdir(join(folder, "packed"), { recursive: true });
  await mkdir(join(sandbox.project, ".coppice"));
  await writeFile(join(sandbox.project, ".coppice/settings.json"), "{}");
  await writeFile(join(folder, "shout.ts"), COMMAND);
  await writeFile(
    join(folder, "packed/index.js"),
    'export default (api) => api.registerCommand("whisper", { description: "Whispers.", handler: (text) => text.toLowerCase() });',
  );
  await writeFile(join(folder, "broken.ts"), "throw new Error('no luck');");
  await writeFile(join(folder, "unset.ts"), "export default () => { throw new Error('no server'); };");
  await writeFile(
    join(folder, "hung.ts"),
    "export default () => new Promise((end) => setTimeout(end, 1e8));",
  );
  const both = ["--extension", "./my/shout.ts", "--extension", "./my/packed", "--model", "demo"];
  expect(await sandbox.run([...both, "-p", "/shout hello"])).toMatchObject({ stdout: "HELLOfunction\n" });
  expect(await sandbox.run([...both, "-p", "/whisper HELLO"])).toMatchObject({ stdout: "hello\n" });
  const rpc = await sandbox.run([...both, "--mode", "rpc"], { stdin: '{"id":1,"type":"get_commands"}\n' });
  expect(rpc.stdout).toMatch(/"name":"shout".*"name":"whisper"/);
  const list = await sandbox.run(["extensions", ...both]);
  expect(list.stdout).toMatch(/^shout +cli +.+shout\.ts\npacked +cli +.+index\.js\n$/);

  const server = ["--base-url", wire.baseUrl("openai-completions"), "--model", "x"];
  for (const [named, reason] of [
    ["./my/broken.ts", "no luck"],
    ["./my/unset.ts", "The extension unset could not be set up: no server"],
    ["./my/nothing.ts", "nothing.ts"],
    ["not-installed", "not-installed is not installed"],
    ["https://example.org/x.ts", "names no extension"],
  ] as const) {
    const run = await sandbox.run([...server, "--extension", named, "-p", "hi"]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(reason) });
  }
  const hung = await sandbox.run([...server, "--extension", "./my/hung.ts", "-p", "hi"]);
  expect(hung).toMatchObject({ exitCode: 2, stdout: "" });
  expect(hung.stderr).toContain("coppice: Waiting for the extension hung to be set up …\n");
  expect(hung.stderr).toContain("The extension hung could not be set up: it does not come to an end");
  expect(wire.requests).toEqual([]);
});

test("B243: an extension of a project runs only once the project is trusted, also without a model", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.project, ".coppice/extensions");
  await mkdir(folder, { recursive: true });
  const marker = join(sandbox.project, "MARK");
  await writeFile(
    join(folder, "evil.ts"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, ""); export default () => {};`,
  );
  await writeFile(
    join(sandbox.project, ".coppice/settings.json"),
    '{"extensions": ["./extensions/evil.ts"]}',
  );
  for (const args of [
    ["-p", "hi"],
    ["--model", "demo", "-p", "hi"],
    ["extensions", "list"],
    ["mcp", "list"],
  ]) {
    await sandbox.run(args);
    expect(await exists(marker)).toBe(false);
  }
  const untrusted = await sandbox.run(["extensions", "list"]);
  expect([untrusted.stdout, untrusted.stderr]).toEqual(["", expect.stringContaining("not trusted")]);
  const trusted = await sandbox.run(["--trust", "--model", "demo", "-p", "hi"]);
  expect([trusted.exitCode, await exists(marker)]).toEqual([0, true]);
});

// Needs npm; where there is none, the warning above says so.
test.skipIf(!hasNpm)(
  "extensions install uses a package from a folder without its scripts, and remove takes it out",
  async () => {
    await using sandbox = await createSandbox();
    const source = join(sandbox.project, "my package");
    await mkdir(source);
    const marker = join(sandbox.project, "MARK");
    const manifest = {
      ...{ name: "@team/shout", version: "1.2.3", type: "module" },
      coppice: { extensions: ["start.ts"] },
      scripts: { postinstall: `touch '${marker}'` },
    };
    await writeFile(join(source, "package.json"), JSON.stringify(manifest));
    await writeFile(join(source, "start.ts"), COMMAND);
    const settings = join(sandbox.home, ".coppice/settings.json");
    await mkdir(dirname(settings), { recursive: true });
    await writeFile(settings, '{\n  // mine\n  "model": "demo"\n}\n');
    const coppice = (...args: readonly string[]) =>
      sandbox.run(args, { env: { PATH, npm_config_offline: "true" } });
    const installed = await coppice("extensions", "install", "./my package");
    expect(installed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("@team/shout 1.2.3 is installed"),
    });
    expect(await exists(marker)).toBe(false);
    expect(await readFile(settings, "utf8")).toMatch(
      /\/\/ mine[\s\S]*"extensions": \[\s*"@team\/shout"\s*\]/,
    );
    expect(await coppice("-p", "/shout hello")).toMatchObject({ exitCode: 0, stdout: "HELLOfunction\n" });
    expect((await coppice("extensions", "list", "--mode", "json")).stdout).toContain('"version":"1.2.3"');
    expect(await coppice("extensions", "remove", "@team/shout")).toMatchObject({ exitCode: 0 });
    expect(await readFile(settings, "utf8")).not.toContain("@team/shout");
    expect((await coppice("extensions", "list")).stdout).toBe("");
    const failed = await coppice("extensions", "install", "git+ssh://host/x");
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toContain("is no package");
    const missing = await coppice("extensions", "install", "./nope");
    expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
    expect(missing.stderr).toMatch(/^coppice: There is no \S+nope\. Nothing was changed\.\n/);
    // A registry that cannot be asked: of all that npm says, the reason.
    const refused = await coppice("extensions", "install", "left-pad");
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^coppice: npm says: [^\n]*\bleft-pad\b[^\n]*\. Nothing was changed\.\n/);
    expect(refused.stderr).not.toContain("complete log");
  },
);
