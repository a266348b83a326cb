import { SessionError } from "./errors.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";

/**
 * Writes a whole file under a temporary name, syncs it and gives it its name at once: nobody sees a part of it.
 *
 * `new` refuses a taken name with `EEXIST`; `replace` takes the place of what is there.
 */
export async function writeAside(
  files: SessionFiles,
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  mode: "new" | "replace",
): Promise<void> {
  const aside = `${path}.tmp`;
  await files.remove(aside);
  const file = await files.open(aside, "create");
  try {
    if (typeof content === "string") await appendAll(file, path, Buffer.from(content));
    else for await (const chunk of content) await appendAll(file, path, chunk);
    await file.sync();
    await file.close();
    if (mode === "replace") return await files.rename(aside, path);
    await files.link(aside, path);
    await files.remove(aside);
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(aside).catch(() => undefined);
    throw error;
  }
}

async function appendAll(file: SessionFile, path: string, bytes: Uint8Array): Promise<void> {
  const written = await file.append(bytes);
  if (written === bytes.length) return;
  throw new SessionError({
    code: "io",
    message: `Only ${written} of ${bytes.length} bytes fitted.`,
    data: { path },
  });
}
