import type { SessionSummary } from "@coppice/session";
import { tableLines } from "./table.ts";
import { inertLine } from "./terminal-text.ts";
import { ageText } from "./units.ts";

const MAX_TITLE_COLUMNS = 60;

export interface SessionListOptions {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Whether the directory of each session is shown. */
  readonly withDirectory: boolean;
}

/** One line per session, newest first: id, age, messages, name or first prompt, directory. */
export function sessionListLines(sessions: readonly SessionSummary[], options: SessionListOptions): string[] {
  return tableLines(
    newestFirst(sessions).map((session) => [
      inertLine(session.id, 40),
      ageText(Date.parse(session.lastMessageAt), options.nowMs),
      `${session.messageCount} messages`,
      inertLine(session.name ?? session.firstPrompt ?? "(empty)", MAX_TITLE_COLUMNS),
      ...(options.withDirectory ? [inertLine(session.cwd, 200)] : []),
    ]),
  );
}

/** By the time of their last message. */
export function newestFirst(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) => (a.lastMessageAt < b.lastMessageAt ? 1 : -1));
}
