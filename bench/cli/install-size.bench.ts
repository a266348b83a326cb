import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Size of what `npm install` of the published CLI puts on a disk, production dependencies only: `npm pack` of the built
 * program, installed into an empty folder with the registry that npm is set up with. Budget: 40 MB.
 */
const BUDGET_MB = 40;
const SHOWN_PARTS = 8;

const root = resolve(import.meta.dirname, "../..");
const cli = join(root, "apps/cli");
const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "coppice-install-"));

/** Runs npm; undefined and a line that says why where it fails, as it does offline. */
function npm(args: readonly string[], cwd: string): string | undefined {
  const run = spawnSync("npm", [...args], { cwd, encoding: "utf8", timeout: 300_000 });
  if (run.status === 0) return run.stdout;
  const why =
    run.error?.message ??
    (run.stderr.trim().split("\n").slice(-3).join("; ") || `it ended with ${run.status}`);
  console.log(`no figure: npm ${args[0]} failed: ${why}`);
  return undefined;
}

/** Bytes of all files below a folder; links are not followed. */
function sizeOf(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Names of the packages directly below a `node_modules`, scoped ones with their scope. */
function packagesIn(modules: string): readonly string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap(({ name }) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}

/** The manifest as pnpm publishes it: versions of the workspace's catalog in place; what is bundled is left out. */
function writeManifest(target: string): void {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(cli, "package.json"), "utf8"));
  const dependencies = Object.keys(manifest.dependencies).map((name) => [name, catalogVersion(name)]);
  const published = { ...manifest, dependencies: Object.fromEntries(dependencies) };
  writeFileSync(join(target, "package.json"), JSON.stringify(published));
}

function catalogVersion(name: string): string {
  const line = workspace
    .split("\n")
    .find((each) => each.replaceAll(/["']/g, "").trim().startsWith(`${name}: `));
  if (line === undefined) throw new Error(`The catalog has no version of ${name}`);
  return line
    .replaceAll(/["']/g, "")
    .trim()
    .slice(name.length + 2);
}

function measure(): void {
  const packed = npm(["pack", "--ignore-scripts", "--pack-destination", folder], cli);
  const archive = packed?.trim().split("\n").at(-1);
  if (archive === undefined) return;
  const unpacked = join(folder, "unpacked");
  const home = join(folder, "home");
  for (const path of [unpacked, home]) mkdirSync(path);
  spawnSync("tar", ["-xzf", join(folder, archive), "-C", unpacked]);
  const program = join(unpacked, "package");
  writeManifest(program);
  if (npm(["install", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"], program) === undefined)
    return;
  const modules = join(program, "node_modules");
  const parts = [
    ...packagesIn(modules).map((name) => ({ name, bytes: sizeOf(join(modules, name)) })),
    { name: "coppice itself", bytes: sizeOf(program) - sizeOf(modules) },
  ].toSorted((a, b) => b.bytes - a.bytes);
  const megabytes = (bytes: number) => Number((bytes / 1e6).toFixed(1));
  console.table(parts.slice(0, SHOWN_PARTS).map(({ name, bytes }) => ({ name, MB: megabytes(bytes) })));
  console.log(`installed: ${megabytes(sizeOf(program))} MB of ${BUDGET_MB} in ${parts.length} packages`);
}

try {
  measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
