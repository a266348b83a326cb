import type { InputSection } from "./export-data.ts";
import { asList, asRecord, asText } from "./loose-value.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that say best what a call does, first found wins. */
const TITLE_ARGUMENTS = [
  "command",
  "path",
  "file_path",
  "pattern",
  "query",
  "url",
  "name",
  "handle",
] as const;

/** What the replaced and the new text are called, by us and by others. */
const CHANGES = [
  ["oldText", "newText"],
  ["old_string", "new_string"],
] as const;

/** The first line of the argument that says most about a call. */
export function callTitle(args: Arguments): string {
  const named = TITLE_ARGUMENTS.map((name) => args[name]).find((value) => typeof value === "string");
  const value = named ?? Object.values(args).find((candidate) => typeof candidate === "string");
  return asText(value).trimStart().split("\n", 1)[0] ?? "";
}

/** A call's arguments in the order in which they were given: changes as lines of a diff, text as text, the rest as JSON. */
export function callInput(args: Arguments): readonly InputSection[] {
  const changed = CHANGES.find(([before, after]) => before in args && after in args);
  const sections: InputSection[] = [];
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const change = changed !== undefined && name === changed[0] ? changeText(args) : editsText(name, value);
    if (change !== undefined) sections.push({ name: "change", text: change, isDiff: true });
    else if (changed !== undefined && name === changed[1]) continue;
    else if (typeof value === "string") sections.push({ name, text: value, isDiff: false });
    else rest[name] = value;
  }
  if (Object.keys(rest).length === 0) return sections;
  return [...sections, { name: "arguments", text: JSON.stringify(rest, null, 2), isDiff: false }];
}

/** The edits of a call that brings several; undefined for any other argument. */
function editsText(name: string, value: unknown): string | undefined {
  if (name !== "edits") return undefined;
  const changes = asList(value).map((edit) => changeText(asRecord(edit)));
  if (changes.length === 0 || changes.includes(undefined)) return undefined;
  return changes.join("\n ...\n");
}

function changeText(holder: Arguments): string | undefined {
  const names = CHANGES.find(([before, after]) => before in holder && after in holder);
  if (names === undefined) return undefined;
  const [before, after] = names.map((name) => asText(holder[name]));
  return [...signed("-", before ?? ""), ...signed("+", after ?? "")].join("\n");
}

function signed(sign: string, text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").map((line) => `${sign}${line}`);
}
