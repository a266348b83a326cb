import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonlRepo, type JsonlRepoOptions } from "../jsonl-repo.ts";
import { ClosingRepo } from "./closing-repo.ts";

/** A temporary folder of sessions, gone with everything that is open in it at the end of its scope. */
export class SessionFolder implements AsyncDisposable {
  readonly directory: string;
  readonly #repos: ClosingRepo[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<SessionFolder> {
    return new SessionFolder(await mkdtemp(join(tmpdir(), "coppice-session-")));
  }

  /** A repository over the folder, as another process would make it. */
  repo(options: Partial<JsonlRepoOptions> = {}): ClosingRepo {
    const repo = new ClosingRepo(new JsonlRepo({ directory: this.directory, ...options }));
    this.#repos.push(repo);
    return repo;
  }

  /** Puts a file into the folder and resolves with its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.directory, name);
    await writeFile(path, content);
    return path;
  }

  /** Writes letters beyond ASCII, and some within, as escapes, as other programs do. */
  async escapeLetters(path: string): Promise<void> {
    const text = await readFile(path, "utf8");
    const escaped = text.replaceAll(/[^\n -~]|p(?=ha)/g, (letter) => {
      const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
      return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
    });
    await writeFile(path, escaped);
  }

  /** Names of all files below the folder, sorted. */
  async files(): Promise<readonly string[]> {
    const entries = await readdir(this.directory, { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const repo of this.#repos) await repo.closeAll();
    await rm(this.directory, { recursive: true });
  }
}

/** What a file holds, as a hash. */
export async function hashOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
