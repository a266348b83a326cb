import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OWNER_ONLY = 0o600;

export interface ExternalEditorOptions {
  /** As `$VISUAL` has it: a program, perhaps with arguments. */
  readonly command: string;
  readonly environmentVariables: Readonly<Record<string, string>>;
  /** Gives the terminal to the program while it runs. */
  readonly lend: (run: () => Promise<void>) => Promise<void>;
}

/** The text as it was left in a program of the person's. Throws with the text untouched when the program fails. */
export async function editOutside(text: string, options: ExternalEditorOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-prompt-"));
  const path = join(folder, "prompt.md");
  try {
    await writeFile(path, text, { mode: OWNER_ONLY });
    await options.lend(() => run(options, path));
    return (await readFile(path, "utf8")).replace(/\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The shell takes the command apart, as for every other program that knows `$VISUAL`. */
function run({ command, environmentVariables }: ExternalEditorOptions, path: string): Promise<void> {
  const isWindows = process.platform === "win32";
  const child = isWindows
    ? spawn(`${command} "${path}"`, { shell: true, stdio: "inherit", env: environmentVariables })
    : spawn("sh", ["-c", `${command} "$@"`, command, path], { stdio: "inherit", env: environmentVariables });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`The editor "${command}" ended with ${signal ?? code}; the prompt is as it was.`));
    });
  });
}
