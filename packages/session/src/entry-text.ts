import { type AnyEntry, isEntry } from "./entry.ts";

/** The text of an entry that a person could look for, pieces separated by a line end; empty where there is none. */
export function entryText(entry: AnyEntry): string {
  if (isEntry(entry, "message")) return messageText(entry.message as unknown as Fields);
  if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) return entry.summary;
  if (isEntry(entry, "custom_message")) return contentText(entry.content);
  if (isEntry(entry, "label")) return entry.label ?? "";
  if (isEntry(entry, "session_info")) return entry.name ?? "";
  return "";
}

type Fields = Readonly<Record<string, unknown>>;

function messageText(message: Fields): string {
  const own = [message.command, message.output, message.errorMessage].filter(
    (part) => typeof part === "string",
  );
  return [...own, contentText(message.content)].filter((part) => part !== "").join("\n");
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: Fields) => blockText(block)).join("\n");
}

/** Images and signatures hold nothing to look for. */
function blockText(block: Fields | null): string {
  if (block?.type === "text") return String(block.text);
  if (block?.type === "thinking") return String(block.thinking);
  if (block?.type === "toolCall") return `${String(block.name)}\n${JSON.stringify(block.arguments)}`;
  return "";
}
