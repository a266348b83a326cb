import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a task with a folder of its own, which is gone afterwards. */
export async function withDirectory(task: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "coppice-example-"));
  try {
    await task(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
