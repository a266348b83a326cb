import { type JsoncMember, type JsoncNode, parseJsonc } from "./jsonc.ts";

/** One change: where, and the new value; undefined takes the key out. */
export interface JsoncEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * A JSON text with one value changed and everything else, comments included, as it was.
 *
 * Objects on the way are made; a value on the way that is no object is replaced by one. An empty text is `{}`. Throws
 * `JsoncError` for a text that is no JSON, and `TypeError` when its root is no object.
 */
export function editJsonc(text: string, { path, value }: JsoncEdit): string {
  const source = text.trim() === "" || text.trim() === "\uFEFF" ? "{}\n" : text;
  const root = parseJsonc(source);
  if (!isObject(root)) throw new TypeError("The root of the file is no object.");
  return edited({ source, node: root, path, value, indent: indentOf(source) });
}

interface Edit {
  readonly source: string;
  readonly node: JsoncNode;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly indent: string;
}

function edited(edit: Edit): string {
  const { source, node, path, value, indent } = edit;
  const [key, ...rest] = path;
  if (key === undefined) return source;
  const member = node.members.findLast((one) => one.key === key);
  if (member !== undefined && rest.length > 0 && isObject(member.node)) {
    return edited({ ...edit, node: member.node, path: rest });
  }
  if (value === undefined) {
    return member === undefined || rest.length > 0 ? source : without(source, node, key);
  }
  const depth = depthOf(source, node.start);
  const wanted = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const text = JSON.stringify(wanted, undefined, indent).replaceAll("\n", `\n${indent.repeat(depth + 1)}`);
  if (member !== undefined) return splice(source, member.node.start, member.node.end, text);
  return inserted({ source, node, indent, depth }, `${JSON.stringify(key)}: ${text}`);
}

/** A new member behind the last one. */
function inserted(
  { source, node, indent, depth }: Pick<Edit, "source" | "node" | "indent"> & { readonly depth: number },
  member: string,
): string {
  const last = node.members.at(-1);
  const inner = `\n${indent.repeat(depth + 1)}`;
  if (last === undefined) {
    const close = node.end - 1;
    const isBlank = source.slice(node.start + 1, close).trim() === "";
    const from = isBlank ? node.start + 1 : source.slice(0, close).trimEnd().length;
    return splice(source, from, close, `${inner}${member}\n${indent.repeat(depth)}`);
  }
  const comma = commaBehind(source, last, node);
  if (comma === undefined) return splice(source, last.node.end, last.node.end, `,${inner}${member}`);
  return splice(source, comma + 1, comma + 1, `${inner}${member}`);
}

/** Without every member of that name, the comma with it. */
function without(source: string, node: JsoncNode, key: string): string {
  const at = node.members.findLastIndex((one) => one.key === key);
  const member = node.members[at];
  if (member === undefined) return source;
  const comma = commaBehind(source, member, node);
  const before = node.members[at - 1];
  const from =
    before === undefined || comma !== undefined ? lineStart(source, member.start) : before.node.end;
  const to = comma === undefined ? member.node.end : comma + 1;
  const shorter = splice(source, from, to, "");
  const again = parseJsonc(shorter);
  const same = nodeAt(again, node.start);
  return same === undefined ? shorter : without(shorter, same, key);
}

/** The object that starts at an offset; what was before it has not changed. */
function nodeAt(root: JsoncNode, start: number): JsoncNode | undefined {
  if (root.start === start) return root;
  for (const { node } of root.members) {
    const found = nodeAt(node, start);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the comma behind a member stands, comments skipped. */
function commaBehind(source: string, member: JsoncMember, node: JsoncNode): number | undefined {
  const rest = source.slice(member.node.end, node.end);
  const blank = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(rest)?.[0] ?? "";
  return rest[blank.length] === "," ? member.node.end + blank.length : undefined;
}

/** The line's beginning with the line break before it, where only blanks stand before `at`. */
function lineStart(source: string, at: number): number {
  const blank = /\n?[ \t]*$/.exec(source.slice(0, at))?.[0] ?? "";
  return at - blank.length;
}

/** How many levels of indentation the line of an offset has. */
function depthOf(source: string, at: number): number {
  const line = source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
  const blank = /^[ \t]*/.exec(line)?.[0] ?? "";
  const unit = indentOf(source);
  return Math.round(blank.length / unit.length);
}

function indentOf(source: string): string {
  return /\n(\t| {2,8})\S/.exec(source)?.[1] ?? "  ";
}

function splice(source: string, from: number, to: number, text: string): string {
  return source.slice(0, from) + text + source.slice(to);
}

function isObject({ value }: JsoncNode): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
