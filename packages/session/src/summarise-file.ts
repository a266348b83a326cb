import { textOf } from "@coppice/ai";
import { isoTime } from "./codec.ts";
import { type AnyEntry, isEntry, SESSION_VERSION } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { readHeader } from "./jsonl-header.ts";
import { readLines } from "./lines.ts";
import { lineDecoder } from "./migrate.ts";
import type { FoundDamage, SessionSummary } from "./repo.ts";
import type { SessionFiles } from "./session-files.ts";
import { cleanName } from "./tree.ts";

const MAX_PROMPT_CHARS = 200;
const HEAD_BYTES = 400;
const TAIL_BYTES = 400;
const CLOSING_BRACE = 125;
const ENTRY_TYPE = /^\{"type":"([a-z_]+)"/;
const MESSAGE_ROLE = /"message":\{"role":"([A-Za-z]+)"/;
const MESSAGE_TIME = /"timestamp":(\d{1,16})[,}]/g;

/** One pass over a session file for the list; memory is bounded by the longest line. */
export async function summariseFile(files: SessionFiles, path: string): Promise<SessionSummary> {
  const file = await files.open(path, "read");
  try {
    const found = await readHeader(file, path);
    if (found === undefined) throw new SessionError({ code: "not_a_session", message: `${path} is empty.` });
    const size = await file.size();
    const summary = new Summary();
    const decode = lineDecoder(found.header);
    for await (const { bytes, byteOffset } of readLines(file, found.end, size)) {
      if (found.header.version === SESSION_VERSION && summary.takeBytes(bytes)) continue;
      const decoded = decode(bytes.toString("utf8"));
      if (decoded.kind === "entry" || decoded.kind === "fused") summary.take(decoded.entry);
      if (decoded.kind === "unreadable" || decoded.kind === "fused") summary.sawDamageAt(byteOffset);
    }
    const { id, cwd, timestamp, parentSession } = found.header;
    return {
      id,
      path,
      cwd,
      name: summary.name,
      firstPrompt: summary.firstPrompt,
      lastMessageAt: summary.lastMessageMs === undefined ? timestamp : isoTime(summary.lastMessageMs),
      messageCount: summary.messageCount,
      sizeBytes: size,
      parentSession,
      ...(summary.damage === undefined ? {} : { damage: summary.damage }),
    };
  } finally {
    await file.close();
  }
}

/** What the list shows of a sequence of entries. */
export class Summary {
  name: string | undefined;
  firstPrompt: string | undefined;
  lastMessageMs: number | undefined;
  messageCount = 0;
  damage: FoundDamage | undefined;

  sawDamageAt(byteOffset: number): void {
    this.damage = { lines: (this.damage?.lines ?? 0) + 1, byteOffset: this.damage?.byteOffset ?? byteOffset };
  }

  /**
   * Takes a line by its first and last bytes, without parsing it. False where they do not say enough.
   *
   * Inside JSON text quotes are escaped, so that a key found here is a key.
   */
  takeBytes(line: Buffer): boolean {
    const head = line.toString("latin1", 0, HEAD_BYTES);
    const type = ENTRY_TYPE.exec(head)?.[1];
    if (type === undefined || type === "session_info" || line.at(-1) !== CLOSING_BRACE) return false;
    if (type !== "message") return true;
    const role = MESSAGE_ROLE.exec(head)?.[1];
    if (role === undefined || (role === "user" && this.firstPrompt === undefined)) return false;
    if (role !== "user" && role !== "assistant") return true;
    const tail = line.toString("latin1", Math.max(0, line.length - TAIL_BYTES));
    const ms = [...tail.matchAll(MESSAGE_TIME)].at(-1)?.[1];
    if (ms === undefined) return false;
    this.messageCount++;
    this.#sawMessageAt(Number(ms));
    return true;
  }

  take(entry: AnyEntry): void {
    if (isEntry(entry, "session_info")) this.name = cleanName(entry.name);
    if (!isEntry(entry, "message")) return;
    const { message } = entry;
    if (message.role !== "user" && message.role !== "assistant") return;
    this.messageCount++;
    const ms = typeof message.timestamp === "number" ? message.timestamp : Date.parse(entry.timestamp);
    if (!Number.isNaN(ms)) this.#sawMessageAt(ms);
    if (message.role === "user") this.firstPrompt ??= promptLine(textOf(message.content));
  }

  #sawMessageAt(ms: number): void {
    this.lastMessageMs = Math.max(ms, this.lastMessageMs ?? 0);
  }
}

function promptLine(text: string): string | undefined {
  return cleanName(text.slice(0, MAX_PROMPT_CHARS * 2))?.slice(0, MAX_PROMPT_CHARS);
}
