import { spawnSync } from "node:child_process";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { findExtensions } from "./find-extensions.ts";
import { parsePackageSpec } from "./package-spec.ts";
import { ExtensionPackages } from "./packages.ts";
import { localNpm } from "./run-npm.ts";

// Each call starts npm, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const hasNpm = spawnSync("npm", ["--version"], { env: { PATH } }).status === 0;
if (!hasNpm) console.warn("Packages of extensions are not tested: there is no npm here.");
// Skipped without npm, since nothing else installs packages.
const testWithNpm = test.skipIf(!hasNpm);

const { files } = createLocalEnvironment({ environmentVariables: {} });

async function setUp() {
  const root = await temporaryFolder("extension packages-");
  const directory = join(root, "home", "extensions");
  // No registry is asked: what is installed lies here, and the cache is empty.
  const variables = {
    PATH,
    HOME: join(root, "home"),
    npm_config_cache: join(root, "cache"),
    npm_config_offline: "true",
  };
  const npm = localNpm(variables);
  const packages = new ExtensionPackages({ directory, files, npm });
  const make = async (name: string, version: string, more: Readonly<Record<string, unknown>> = {}) => {
    const path = join(root, "sources", `${name.replace("/", "-")} ${version}`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "package.json"), JSON.stringify({ name, version, type: "module", ...more }));
    return path;
  };
  const extension = async (name: string, version: string, more: Readonly<Record<string, unknown>> = {}) => {
    const path = await make(name, version, { main: "index.js", ...more });
    await writeFile(join(path, "index.js"), `export default { name: "${version}", setup() {} };`);
    return path;
  };
  return { root, directory, packages, make, extension, variables };
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

testWithNpm(
  "CX-19: a package is installed without its scripts, listed, found, replaced by another version, and removed",
  async () => {
    const { root, directory, packages, extension } = await setUp();
    const marker = join(root, "marker");
    const scripts = {
      preinstall: `touch '${marker}'`,
      install: `touch '${marker}'`,
      postinstall: `touch '${marker}'`,
    };
    const first = await extension("@scope/tool", "1.0.0", {
      scripts,
      peerDependencies: { "@coppice/coding-agent": "*", "not-there-at-all": "*" },
    });
    expect(await packages.install({ kind: "path", path: first })).toEqual({
      name: "@scope/tool",
      version: "1.0.0",
    });
    expect(await exists(marker)).toBe(false);
    expect(await packages.list()).toEqual([{ name: "@scope/tool", version: "1.0.0" }]);
    const named = [{ source: "user", specs: ["@scope/tool"], base: root }] as const;
    const { found, diagnostics } = await findExtensions({ files, userExtensions: directory, named });
    expect([found.map(({ name, source }) => `${source} ${name}`), diagnostics]).toEqual([
      ["package @scope/tool"],
      [],
    ]);

    await writeFile(join(directory, "mine.ts"), "export default () => {};");
    const second = await extension("@scope/tool", "2.0.0");
    expect(await packages.install({ kind: "path", path: second })).toEqual({
      name: "@scope/tool",
      version: "2.0.0",
    });
    expect(await packages.list()).toEqual([{ name: "@scope/tool", version: "2.0.0" }]);

    await packages.remove("@scope/tool");
    expect(await packages.list()).toEqual([]);
    expect(await exists(join(directory, "node_modules/@scope/tool"))).toBe(false);
    expect(await exists(join(directory, "mine.ts"))).toBe(true);
    expect((await readdir(dirname(directory))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  },
);

testWithNpm("a tarball is installed as well", async () => {
  const { root, packages, extension, variables } = await setUp();
  const path = await extension("packed", "3.1.0");
  const pack = spawnSync("npm", ["pack", "--pack-destination", root], {
    cwd: path,
    env: variables,
    encoding: "utf8",
  });
  expect([pack.status, pack.stderr]).toEqual([0, expect.anything()]);
  const tarball = join(root, "packed-3.1.0.tgz");
  expect(await packages.install({ kind: "path", path: tarball })).toEqual({
    name: "packed",
    version: "3.1.0",
  });
});

testWithNpm(
  "CX-19: what cannot be installed changes nothing, says why, and leaves nothing lying about",
  async () => {
    const { directory, packages, make, extension } = await setUp();
    await packages.install({ kind: "path", path: await extension("good", "1.0.0") });
    const before = await readFile(join(directory, "package.json"), "utf8");
    const lacking = await extension("lacking", "1.0.0", { dependencies: { "not-there-at-all": "1.0.0" } });
    await expect(packages.install({ kind: "path", path: lacking })).rejects.toMatchObject({
      code: "install_failed",
      message: expect.stringMatching(/not-there-at-all[\s\S]*Nothing was changed\.$/),
    });
    await expect(packages.install({ kind: "path", path: await make("plain", "1.0.0") })).rejects.toThrow(
      "plain has no extension in it. Nothing was changed.",
    );
    await expect(packages.remove("never")).rejects.toThrow("never is not installed");
    expect(await packages.list()).toEqual([{ name: "good", version: "1.0.0" }]);
    expect(await readFile(join(directory, "package.json"), "utf8")).toBe(before);
    expect((await readdir(dirname(directory))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  },
);

testWithNpm(
  "CX-19: an installation that was killed is cleared away by the next one, and none without npm",
  async () => {
    const { directory, packages, extension } = await setUp();
    await mkdir(`${directory}-0123.tmp/node_modules`, { recursive: true });
    await packages.install({ kind: "path", path: await extension("good", "1.0.0") });
    expect(await exists(`${directory}-0123.tmp`)).toBe(false);
    const lost = new ExtensionPackages({ directory, files, npm: localNpm({ PATH: "/nowhere" }) });
    await expect(lost.install({ kind: "registry", name: "x", version: undefined })).rejects.toThrow(
      "npm could not be started",
    );
  },
);

test.each([
  ["name", { kind: "registry", name: "name", version: undefined }],
  ["name@1.2.3", { kind: "registry", name: "name", version: "1.2.3" }],
  ["@scope/name", { kind: "registry", name: "@scope/name", version: undefined }],
  ["@scope/name@^1.0.0-rc.1", { kind: "registry", name: "@scope/name", version: "^1.0.0-rc.1" }],
  ["./x y.tgz", { kind: "path", path: "/repo/x y.tgz" }],
  ["../x", { kind: "path", path: "/x" }],
  ["/abs", { kind: "path", path: "/abs" }],
  ["~/x", { kind: "path", path: "/home/me/x" }],
])("CX-20: %s is read as what it is", (text, spec) => {
  expect(parsePackageSpec(text, { cwd: "/repo", homeDirectory: "/home/me" })).toEqual(spec);
});

test.each([
  "",
  "git+ssh://git@host/x.git",
  "github:a/b",
  "a/b",
  "https://host/x.tgz",
  "file:../x",
  "npm:other@1",
  "name@npm:other",
  "name@../x",
  "name@",
  "name@1 --foo",
  "@scope",
  "--global",
  "-g",
  "name;rm",
  "@../x/y",
])("CX-20: %j is no package", (text) => {
  expect(() => parsePackageSpec(text, { cwd: "/repo" })).toThrow("is no package");
});
