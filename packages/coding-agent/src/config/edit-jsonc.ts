import type { FormattingOptions, Node } from "jsonc-parser";
import { BYTE_ORDER_MARK, type Jsonc, loadJsonc, parseJsonc } from "./jsonc.ts";

/** One change: where, and the new value; undefined takes the key out. */
export interface JsoncEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * A JSON text with one value changed and everything else, comments included, as it was.
 *
 * Objects on the way are made; a value on the way that is no object is replaced by one. An empty text is `{}`. Rejects
 * with a `SyntaxError` for a text that is no JSON, and a `TypeError` when its root is no object.
 */
export async function editJsonc(text: string, { path, value }: JsoncEdit): Promise<string> {
  const jsonc = await loadJsonc();
  const mark = BYTE_ORDER_MARK.exec(text)?.[0] ?? "";
  const bare = text.slice(mark.length);
  const source = bare.trim() === "" ? "{}\n" : bare;
  await parseJsonc(source);
  if (jsonc.parseTree(source)?.type !== "object") throw new TypeError("The root of the file is no object.");
  const { text: single, depth } = withoutTwins(jsonc, source, path);
  const place = path.slice(0, depth);
  const rest = path.slice(depth);
  if (value === undefined) return mark + (rest.length > 0 ? single : without(jsonc, single, place));
  const wanted = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const edits = jsonc.modify(single, place, wanted, { formattingOptions: formattingOf(single) });
  return mark + jsonc.applyEdits(single, edits);
}

/** The text with each key of `path` at most once, the last staying; `depth`: how many keys lead through objects. */
function withoutTwins(
  jsonc: Jsonc,
  text: string,
  path: readonly string[],
): { readonly text: string; readonly depth: number } {
  let current = text;
  for (let depth = 1; depth <= path.length; depth++) {
    const place = path.slice(0, depth);
    while (membersOf(jsonc, current, place).length > 1) current = without(jsonc, current, place);
    const value = membersOf(jsonc, current, place)[0]?.children?.[1];
    if (value !== undefined && value.type !== "object") return { text: current, depth };
  }
  return { text: current, depth: path.length };
}

/** The members of that name in the object that `place` leads to. */
function membersOf(jsonc: Jsonc, text: string, place: readonly string[]): readonly Node[] {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const parent = root && jsonc.findNodeAtLocation(root, place.slice(0, -1));
  return (parent?.children ?? []).filter(({ children }) => children?.[0]?.value === place.at(-1));
}

/** Without the first member of that name: the library's own removal takes comments along and leaves a trailing comma. */
function without(jsonc: Jsonc, text: string, place: readonly string[]): string {
  const [member] = membersOf(jsonc, text, place);
  if (member === undefined) return text;
  const siblings = member.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const head = text.slice(0, member.offset);
  const tail = text.slice(member.offset + member.length);
  if (FIRST_COMMA.test(tail)) return joined(head, tail.replace(FIRST_COMMA, "$1"));
  if (previous === undefined) return joined(head, tail);
  const behind = previous.offset + previous.length;
  return joined(head.slice(0, behind) + head.slice(behind).replace(FIRST_COMMA, "$1"), tail);
}

/** A comma, with the blanks and comments before it. */
const FIRST_COMMA = /^((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*),/;

/** What stood around a member; a line that it had to itself goes with it. */
function joined(head: string, tail: string): string {
  const isLineBlank = /\n[ \t]*$/.test(head) && /^[ \t]*\r?\n/.test(tail);
  return (isLineBlank ? head.replace(/\r?\n[ \t]*$/, "") : head) + tail;
}

/** As the file is indented already. */
function formattingOf(text: string): FormattingOptions {
  const indent = /\n(\t| {2,8})\S/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: indent !== "\t",
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
