import { SessionError } from "./errors.ts";
import type { SessionFiles } from "./session-files.ts";

/**
 * Writes a whole file under a temporary name, syncs it and gives it its name at once: nobody sees a part of it.
 *
 * `new` refuses a taken name with `EEXIST`; `replace` takes the place of what is there.
 */
export async function writeAside(
  files: SessionFiles,
  path: string,
  text: string,
  mode: "new" | "replace",
): Promise<void> {
  const aside = `${path}.tmp`;
  await files.remove(aside);
  const file = await files.open(aside, "create");
  try {
    const bytes = Buffer.from(text);
    const written = await file.append(bytes);
    if (written < bytes.length) {
      throw new SessionError({
        code: "io",
        message: `Only ${written} of ${bytes.length} bytes fitted.`,
        data: { path },
      });
    }
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
