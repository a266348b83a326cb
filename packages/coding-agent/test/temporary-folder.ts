import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A new folder for the running test, links resolved; it is removed when the test is over, after everything that was made
 * later.
 */
export async function temporaryFolder(prefix = "coppice-test-"): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  // Something that ends with the test may still write.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
