import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import { type AnyEntry, type EditReplacement, type EntryMap, isEntry } from "@coppice/session";
import { CodingAgentError } from "../errors.ts";
import { headOf, tailOf } from "../text/truncate.ts";

type Content = Exclude<EntryMap["context_edit"]["replacement"], null>["content"];

/** What a person can do to an entry's place in the context without words of their own. */
export type EntryEditKind = "hide" | "shorten" | "restore";

/** `hide`: the model sees nothing of it; `shorten`: both ends; `restore`: all of it again; `content`: this instead. */
export type EntryEdit = EntryEditKind | { readonly content: Content };

/** A shorter text keeps this many lines of each end. */
const KEPT_LINES = 10;
const KEPT_CHARACTERS = 1_500;

/** Which edits an entry can take; a call is never parted from its result, so an answer with calls keeps its place. */
export function possibleEdits(entry: AnyEntry, isEdited: boolean): readonly EntryEditKind[] {
  const content = contentOf(entry);
  if (content === undefined) return [];
  if (isEntry(entry, "message") && hasCalls(entry.message)) return [];
  if (isEdited) return ["restore"];
  return shortened(textOf(content), entry.id) === undefined ? ["hide"] : ["hide", "shorten"];
}

/** The replacement that an edit writes; `null` hides. Throws `invalid_edit` for an entry that cannot take it. */
export function replacementFor(entry: AnyEntry, edit: EntryEdit): EditReplacement {
  const content = contentOf(entry);
  if (content === undefined) throw invalid(entry, "it has no content that could be edited");
  const isMessage = isEntry(entry, "message");
  if (isMessage && hasCalls(entry.message)) throw invalid(entry, "an answer is not parted from its calls");
  if (edit === "restore") return { content };
  if (edit === "shorten") return { content: shortened(textOf(content), entry.id) ?? content };
  if (edit !== "hide") return { content: edit.content };
  // A result must stay where its call waits for it.
  return isMessage && entry.message.role === "toolResult" ? { content: hiddenText(entry) } : null;
}

/** What an edit that stands in a session amounts to, whoever wrote it. */
export function kindOfEdit(entry: AnyEntry, replacement: EditReplacement): EntryEditKind {
  if (replacement === null || replacement.content === hiddenText(entry)) return "hide";
  return JSON.stringify(replacement.content) === JSON.stringify(contentOf(entry)) ? "restore" : "shorten";
}

function hiddenText({ id }: AnyEntry): string {
  return `[Hidden by the user: entry ${id}]`;
}

function shortened(text: string, id: string): string | undefined {
  const lines = text.split("\n");
  const head = headOf(lines.slice(0, KEPT_LINES).join("\n"), KEPT_CHARACTERS);
  const tail = tailOf(lines.slice(-KEPT_LINES).join("\n"), KEPT_CHARACTERS);
  const short = `${head}\n[… shortened by the user; the whole is entry ${id} …]\n${tail}`;
  return short.length < text.length ? short : undefined;
}

function contentOf(entry: AnyEntry): Content | undefined {
  if (isEntry(entry, "custom_message")) return entry.content;
  if (!isEntry(entry, "message")) return undefined;
  const { message } = entry;
  if (message.role === "user" || message.role === "toolResult") return message.content;
  if (message.role !== "assistant") return undefined;
  return message.content.flatMap((block) =>
    block.type === "text" ? [{ type: "text", text: block.text }] : [],
  );
}

function hasCalls(message: AgentMessage): boolean {
  return message.role === "assistant" && toolCallsOf(message).length > 0;
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function invalid({ id, type }: AnyEntry, reason: string): CodingAgentError {
  return new CodingAgentError({
    code: "invalid_edit",
    message: `The entry ${id} (${type}) cannot be edited so: ${reason}.`,
    data: { entryId: id },
  });
}
