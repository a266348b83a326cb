import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImageClipboard } from "./clipboard-program.ts";
import { mentionOf } from "./pasted-image.ts";

const OWNER_ONLY = 0o600;

/** Whoever owns the clipboard is another program, which may have stopped. */
export const CLIPBOARD_ANSWER_MS = 5_000;

/**
 * The image of the clipboard as the mention of a file that holds it; undefined where there is none to be read. Rejects
 * when the clipboard fails or has not answered after five seconds; what comes later is dropped.
 */
export async function clipboardImageMention(
  clipboard: ImageClipboard | undefined,
): Promise<string | undefined> {
  const bytes = await inTime(clipboard?.getImage());
  if (bytes === undefined || bytes === null || bytes.length === 0) return undefined;
  // It stays: the prompt may be sent again from the history.
  const path = join(await mkdtemp(join(tmpdir(), "coppice-image-")), "clipboard.png");
  await writeFile(path, bytes, { mode: OWNER_ONLY });
  return mentionOf(path);
}

async function inTime<T>(asked: Promise<T> | T): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error("The clipboard does not answer. The path of a file works, too.")),
    CLIPBOARD_ANSWER_MS,
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
