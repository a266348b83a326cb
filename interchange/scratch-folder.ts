import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { JsonlRepo, type JsonlRepoOptions } from "@coppice/session";
import { ClosingRepo } from "@coppice/session/testing";

const samplesFolder = join(import.meta.dirname, "../packages/session/fixtures");

/** Paths of real session files: three by pi 1.6, the others of its older versions. */
export const samples: readonly string[] = (await readdir(samplesFolder))
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => join(samplesFolder, name));

/** A temporary folder in which both programs keep sessions, gone at the end of its scope. */
export class ScratchFolder implements AsyncDisposable {
  readonly directory: string;
  readonly #repos: ClosingRepo[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<ScratchFolder> {
    return new ScratchFolder(await mkdtemp(join(tmpdir(), "coppice-interchange-")));
  }

  repo(options: Partial<JsonlRepoOptions> = {}): ClosingRepo {
    const repo = new ClosingRepo(new JsonlRepo({ directory: this.directory, ...options }));
    this.#repos.push(repo);
    return repo;
  }

  /** Copies a file into the folder, so that the other program may write to it. */
  async copyOf(path: string, name = basename(path)): Promise<string> {
    const copy = join(this.directory, name);
    await copyFile(path, copy);
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const repo of this.#repos) await repo.closeAll();
    await rm(this.directory, { recursive: true });
  }
}
