import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getNativeClipboard } from "@earendil-works/pi-tui";
import { mentionOf } from "./pasted-image.ts";

const OWNER_ONLY = 0o600;

/** The image of the clipboard as the mention of a file that holds it; undefined where there is none to be read. */
export async function clipboardImageMention(): Promise<string | undefined> {
  const bytes = await getNativeClipboard()?.getImage();
  if (bytes === undefined || bytes === null || bytes.length === 0) return undefined;
  // It stays: the prompt may be sent again from the history.
  const path = join(await mkdtemp(join(tmpdir(), "coppice-image-")), "clipboard.png");
  await writeFile(path, bytes, { mode: OWNER_ONLY });
  return mentionOf(path);
}
