import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { changedLine, redactLine } from "./redact-line.ts";
import { createRedactor } from "./redactor.ts";
import { rewriteFile } from "./rewrite-file.ts";

export interface SecretsAtRestOptions {
  /** The file to read, absolute. It stays as it is. */
  readonly source: string;
  /** The file to write, absolute; it must be free. */
  readonly target: string;
  /** Folder of the user's own for what is taken out, absolute; made for its owner alone where it is missing. */
  readonly directory: string;
}

export interface RedactedFile {
  /** How many secrets were replaced, each counted once. */
  readonly redactedSecrets: number;
}

export interface RestoredFile {
  /** Placeholders of which this folder knows nothing; they stay. */
  readonly unknownPlaceholders: number;
}

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const TAG_BYTES = 8;
/** A copy names the file of what was taken out of it by the tag of its placeholders. */
const PLACEHOLDER = /\[redacted:[a-z0-9-]+:([0-9a-f]{16})-\d+\]/g;

/**
 * Copies a session file without secrets of known forms, and keeps what was taken out in `directory`: there, and nowhere in
 * the copy, so that it can be put back on this machine alone.
 *
 * Line by line. What is taken out is on disk before the copy has its name. Throws `file_exists`.
 */
export async function redactSessionFile(options: SecretsAtRestOptions): Promise<RedactedFile> {
  const { source, target, directory } = options;
  const tag = randomBytes(TAG_BYTES).toString("hex");
  const redactor = createRedactor({ tag });
  const kept = placeOf(directory, tag);
  try {
    await rewriteFile(source, target, {
      change: (line) => redactLine(line, redactor),
      beforeEnd: async () => {
        if (redactor.secrets.length === 0) return;
        await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
        const secrets = redactor.secrets.map(({ placeholder, value }) => [placeholder, value]);
        const text = `${JSON.stringify(Object.fromEntries(secrets))}\n`;
        await writeFile(kept, text, { mode: PRIVATE_FILE, flag: "wx", flush: true });
      },
    });
  } catch (error) {
    // Secrets that no copy can ask for.
    await rm(kept, { force: true });
    throw error;
  }
  return { redactedSecrets: redactor.secrets.length };
}

/** Copies such a copy with everything put back that lies in `directory`. Throws `file_exists`. */
export async function restoreSessionFile(options: SecretsAtRestOptions): Promise<RestoredFile> {
  const { source, target, directory } = options;
  const known = new Map<string, Promise<Readonly<Record<string, unknown>>>>();
  const missing = new Set<string>();
  await rewriteFile(source, target, {
    async change(line) {
      const kept: Record<string, unknown> = {};
      for (const [, tag = ""] of line.matchAll(PLACEHOLDER)) {
        const found = known.get(tag) ?? keptUnder(placeOf(directory, tag));
        known.set(tag, found);
        Object.assign(kept, await found);
      }
      const restore = (text: string) =>
        text.replace(PLACEHOLDER, (placeholder) => {
          const value = kept[placeholder];
          if (typeof value === "string") return value;
          missing.add(placeholder);
          return placeholder;
        });
      return changedLine(line, restore, (value) => mapTexts(value, restore));
    },
  });
  return { unknownPlaceholders: missing.size };
}

function placeOf(directory: string, tag: string): string {
  return join(directory, `${tag}.json`);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]),
  );
}

async function keptUnder(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  return JSON.parse(text);
}
