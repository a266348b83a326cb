import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./checkout-copy.ts";
import { createPlayground, type Playground } from "./spawn-coppice.ts";

/** The facts of the project that a right answer must hold, read from its own files. */
export interface ProjectFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly main: string;
}

/** Lays a published package out as somebody's project: real files that are not ours, under git. */
export async function layForeignProject({ project, home }: Playground): Promise<ProjectFacts> {
  const manifest = createRequire(join(ROOT, "packages/ai/package.json")).resolve("partial-json");
  const folder = dirname(dirname(manifest));
  await mkdir(home, { recursive: true });
  await cp(folder, project, { recursive: true, dereference: true });
  execFileSync("git", ["init", "-q"], { cwd: project });
  const { name, version, description, main } = JSON.parse(
    await readFile(join(project, "package.json"), "utf8"),
  );
  return { name, version, description, main };
}

/** A playground whose project is that package. */
export async function createForeignPlayground(): Promise<Playground> {
  const playground = await createPlayground();
  await layForeignProject(playground);
  return playground;
}

/** Makes `npm test` of the project run the given shell command. */
export async function setTestScript({ project }: Playground, command: string): Promise<void> {
  const path = join(project, "package.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(
    path,
    JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, test: command } }, null, 2),
  );
}
