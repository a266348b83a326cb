import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, copyFile, type FileHandle, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createRedactor } from "@coppice/coding-agent";
import type { JsonlRepo } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { jsonLine } from "../../render/json-line.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";

const MAX_COLUMNS = 400;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Folder in the user's own, of what was taken out of copies; a copy names its file by the tag of its placeholders. */
const FOLDER = "redactions";
const TAG_BYTES = 8;
const PLACEHOLDER = /\[redacted:[a-z0-9-]+:([0-9a-f]{16})-\d+\]/g;

/**
 * `coppice sessions redact SESSION [FILE]`: a copy of a session without its secrets, and what was taken out in a file
 * of the user's own, so that `sessions restore` can put it back here and nowhere else. The session stays as it is.
 */
export async function redactSession(
  { cwd, places, stdout, stderr }: CliContext,
  repo: JsonlRepo,
  { ref, file }: { readonly ref: string; readonly file: string | undefined },
): Promise<number> {
  const source = await repo.resolve(sessionRef(ref, cwd));
  const target = resolve(cwd, file ?? `${await idOf(repo, source)}.redacted.jsonl`);
  const tag = randomBytes(TAG_BYTES).toString("hex");
  const redactor = createRedactor({ tag });
  await rewritten(source, target, {
    change: (line) => changedLine(line, redactor.redactText, redactor.redactValue),
    beforeEnd: async () => {
      if (redactor.secrets.length === 0) return;
      await mkdir(join(places.userDirectory, FOLDER), { recursive: true, mode: PRIVATE_FOLDER });
      const kept = Object.fromEntries(redactor.secrets.map(({ placeholder, value }) => [placeholder, value]));
      const path = join(places.userDirectory, FOLDER, `${tag}.json`);
      await writeFile(path, jsonLine(kept), { mode: PRIVATE_FILE, flag: "wx" });
    },
  });
  const count = redactor.secrets.length;
  await stdout.write(`${inertLine(target, MAX_COLUMNS)}\n`);
  await stderr.write(
    `${count === 1 ? "1 secret was" : `${count} secrets were`} replaced; the session itself still holds what it held.\n`,
  );
  return EXIT_CODES.ok.code;
}

/** `coppice sessions restore FILE [TARGET]`: puts back what `sessions redact` took out on this machine. */
export async function restoreSession(
  { cwd, places, stdout, stderr }: CliContext,
  { file, target }: { readonly file: string; readonly target: string | undefined },
): Promise<number> {
  const source = resolve(cwd, file);
  const path = resolve(cwd, target ?? `${source}.restored`);
  const known = new Map<string, Promise<Readonly<Record<string, unknown>>>>();
  const missing = new Set<string>();
  await rewritten(source, path, {
    async change(line) {
      const kept: Record<string, unknown> = {};
      for (const [, tag = ""] of line.matchAll(PLACEHOLDER)) {
        if (!known.has(tag)) known.set(tag, keptUnder(join(places.userDirectory, FOLDER, `${tag}.json`)));
        Object.assign(kept, await known.get(tag));
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
  await stdout.write(`${inertLine(path, MAX_COLUMNS)}\n`);
  if (missing.size === 0) return EXIT_CODES.ok.code;
  await stderr.write(`coppice: ${missing.size} placeholders are not known on this machine and stay.\n`);
  return EXIT_CODES.failure.code;
}

interface Rewrite {
  readonly change: (line: string) => string | Promise<string>;
  /** Runs when everything has been read and nothing stands under the new name yet. */
  readonly beforeEnd?: () => Promise<void>;
}

/** Writes a file anew, line by line, under a name that is free. Leaves nothing behind when it fails. */
async function rewritten(source: string, target: string, { change, beforeEnd }: Rewrite): Promise<void> {
  const aside = `${target}.${randomBytes(TAG_BYTES).toString("hex")}.tmp`;
  const file = await open(aside, "wx", PRIVATE_FILE);
  try {
    await writeLines(source, file, change);
    await file.close();
    await beforeEnd?.();
    await copyFile(aside, target, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      throw new CliError("file_exists", `${target} is there already`);
    });
  } finally {
    await file.close().catch(() => {});
    await rm(aside, { force: true });
  }
}

async function writeLines(source: string, file: FileHandle, change: Rewrite["change"]): Promise<void> {
  for await (const line of linesOf(source)) await file.write(`${await change(line)}\n`);
}

/** Lines end at line feeds alone: JSON may hold the separators that `node:readline` takes for ends as well. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of createReadStream(path, "utf8")) {
    const pieces = String(chunk).split("\n");
    for (const piece of pieces.slice(0, -1)) {
      yield [...parts, piece].join("");
      parts = [];
    }
    parts.push(pieces.at(-1) ?? "");
  }
  const last = parts.join("");
  if (last !== "") yield last;
}

/** A line that holds nothing to change stays as it was written. */
function changedLine(
  line: string,
  changeText: (text: string) => string,
  changeValue: (value: unknown) => unknown,
): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A damaged line may hold a secret as well.
    return changeText(line);
  }
  const before = JSON.stringify(value);
  const after = JSON.stringify(changeValue(value));
  return before === after ? line : after;
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

async function idOf(repo: JsonlRepo, path: string): Promise<string> {
  const session = await repo.open(path, { readOnly: true });
  await session.close();
  return session.id.replace(/[^\w.-]/g, "_");
}
