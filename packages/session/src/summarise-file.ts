import { textOf } from "@coppice/ai";
import { isoTime } from "./codec.ts";
import { type AnyEntry, isEntry } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { readHeader } from "./jsonl-header.ts";
import { readLines } from "./lines.ts";
import { lineDecoder } from "./migrate.ts";
import type { SessionSummary } from "./repo.ts";
import type { SessionFiles } from "./session-files.ts";
import { cleanName } from "./tree.ts";

const MAX_PROMPT_CHARS = 200;

/** One pass over a session file for the list; memory is bounded by the longest line. */
export async function summariseFile(files: SessionFiles, path: string): Promise<SessionSummary> {
  const file = await files.open(path, "read");
  try {
    const found = await readHeader(file, path);
    if (found === undefined) throw new SessionError({ code: "not_a_session", message: `${path} is empty.` });
    const size = await file.size();
    const summary = new Summary();
    const decode = lineDecoder(found.header);
    for await (const { bytes } of readLines(file, found.end, size)) {
      const decoded = decode(bytes.toString("utf8"));
      if (decoded.kind === "entry" || decoded.kind === "fused") summary.take(decoded.entry);
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

  take(entry: AnyEntry): void {
    if (isEntry(entry, "session_info")) this.name = cleanName(entry.name);
    if (!isEntry(entry, "message")) return;
    const { message } = entry;
    if (message.role !== "user" && message.role !== "assistant") return;
    this.messageCount++;
    const ms = typeof message.timestamp === "number" ? message.timestamp : Date.parse(entry.timestamp);
    if (!Number.isNaN(ms)) this.lastMessageMs = Math.max(ms, this.lastMessageMs ?? 0);
    if (message.role === "user") this.firstPrompt ??= promptLine(textOf(message.content));
  }
}

function promptLine(text: string): string | undefined {
  return cleanName(text.slice(0, MAX_PROMPT_CHARS * 2))?.slice(0, MAX_PROMPT_CHARS);
}
