import { fileText } from "../listing.ts";
import type { DemoPlan, DemoStep } from "../turn.ts";

export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/** "Replace A with B in FILE": read, edit every occurrence, show the diff. */
export function replaceText({ from, to, path }: Replacement): DemoPlan {
  return ({ batches }) => {
    const [read] = batches[0] ?? [];
    const [edit] = batches[1] ?? [];
    if (!read) {
      return { kind: "call", say: `Reading ${path} first.`, calls: [{ name: "read", arguments: { path } }] };
    }
    if (read.isError) return answer(`I could not read \`${path}\`: ${read.text}`);
    if (!edit) {
      const text = fileText(read.text);
      const edits = editsFor(text, from, to);
      if (edits.length === 0)
        return answer(`\`${from}\` does not occur in the part of \`${path}\` that was read.`);
      const count = text.split(from).length - 1;
      const say = `Replacing ${count} occurrence${count === 1 ? "" : "s"}.`;
      return { kind: "call", say, calls: [{ name: "edit", arguments: { path, edits } }] };
    }
    if (edit.isError) return answer(`The edit was refused: ${edit.text}`);
    const diff = diffOf(edit.details);
    const shown = diff === undefined ? edit.text : `\`\`\`diff\n${diff.trimEnd()}\n\`\`\``;
    return answer(`Replaced \`${from}\` with \`${to}\` in \`${path}\`:\n\n${shown}`);
  };
}

function answer(text: string): DemoStep {
  return { kind: "answer", text };
}

/**
 * One edit per group of lines, each old text unique in the file: a changed line grows by its neighbours until it is.
 */
export function editsFor(
  text: string,
  from: string,
  to: string,
): readonly { readonly oldText: string; readonly newText: string }[] {
  if (from === "" || !text.includes(from)) return [];
  const lines = text.split("\n");
  if (from.includes("\n")) return [{ oldText: from, newText: to }];
  const regions: [first: number, last: number][] = [];
  lines.forEach((line, index) => {
    if (!line.includes(from)) return;
    const [first, last] = growUntilUnique(text, lines, index);
    const before = regions.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else regions.push([first, last]);
  });
  return regions.map(([first, last]) => {
    const oldText = lines.slice(first, last + 1).join("\n");
    return { oldText, newText: oldText.replaceAll(from, () => to) };
  });
}

function growUntilUnique(
  text: string,
  lines: readonly string[],
  index: number,
): [first: number, last: number] {
  let first = index;
  let last = index;
  const isUnique = () => {
    const block = lines.slice(first, last + 1).join("\n");
    return text.indexOf(block) === text.lastIndexOf(block);
  };
  while (!isUnique() && (first > 0 || last < lines.length - 1)) {
    first = Math.max(0, first - 1);
    last = Math.min(lines.length - 1, last + 1);
  }
  return [first, last];
}

function diffOf(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  const { patch, diff } = details as { readonly patch?: unknown; readonly diff?: unknown };
  return typeof patch === "string" ? patch : typeof diff === "string" ? diff : undefined;
}
