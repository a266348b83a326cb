import { type AnyEntry, isEntry } from "@coppice/session";
import type { EntryView } from "./export-data.ts";
import { asList, asNumber, asRecord, asText } from "./loose-value.ts";
import { customView, messageView, usageView } from "./message-view.ts";

/** An entry of the tree as the page shows it. Takes whatever a session file may hold; kinds not known become JSON. */
export function entryView(entry: AnyEntry): EntryView {
  if (isEntry(entry, "message")) return messageView(asRecord(entry.message));
  if (isEntry(entry, "custom_message")) return customView({ ...entry });
  if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) return summaryView({ ...entry });
  return noteView({ ...entry });
}

function summaryView(entry: Readonly<Record<string, unknown>>): EntryView {
  const usage = usageView(entry.usage);
  const tokensBefore = asNumber(entry.tokensBefore);
  return {
    kind: "summary",
    of: entry.type === "compaction" ? "compaction" : "branch",
    text: asText(entry.summary),
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function noteView(entry: Readonly<Record<string, unknown>>): EntryView {
  const note = (title: string, text = ""): EntryView => ({
    kind: "note",
    title,
    ...(text === "" ? {} : { text }),
  });
  switch (entry.type) {
    case "model_change":
      return note(`Model: ${asText(entry.provider)}/${asText(entry.modelId)}`);
    case "thinking_level_change":
      return note(`Thinking: ${asText(entry.thinkingLevel)}`);
    case "active_tools_change":
      return note(`Tools: ${asList(entry.activeToolNames).map(asText).join(", ") || "none"}`);
    case "context_edit":
      return entry.replacement === null
        ? note(`Hidden from the model: entry ${asText(entry.targetId)}`)
        : note(
            `Shown differently to the model: entry ${asText(entry.targetId)}`,
            contentText(asRecord(entry.replacement).content),
          );
    case "custom":
      return note(asText(entry.customType) || "custom", pretty(entry.data));
    default: {
      const { id: _, parentId: __, timestamp: ___, ...fields } = entry;
      return note(`Entry of an unknown kind: ${asText(entry.type)}`, pretty(fields));
    }
  }
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((block) => asText(asRecord(block).text))
    .join("\n");
}

function pretty(value: unknown): string {
  return value === undefined ? "" : (JSON.stringify(value, null, 2) ?? "");
}
