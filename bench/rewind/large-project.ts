import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = 2500;
const FILES_A_FOLDER = 20;

/** Makes a project of 50,000 small files, all of them committed. */
export function makeLargeProject(cwd: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(cwd, `part-${folder % 50}`, `unit-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      writeFileSync(
        join(path, `file-${file}.ts`),
        `export const value = ${folder * FILES_A_FOLDER + file};\n`,
      );
    }
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
      cwd,
      stdio: "pipe",
    });
  git("init", "-q");
  // In the background it would be measured as well.
  git("config", "gc.auto", "0");
  git("add", ".");
  git("commit", "-qm", "all");
}
