/** A Markdown file's head: flat fields between two lines of `---`, and the text behind them. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** What could not be read, with the line in the file. */
  readonly diagnostics: readonly string[];
}

/**
 * Reads the part of YAML that such heads use: scalars plain or quoted, blocks (`|`, `>`), lists, and comments.
 *
 * It is lenient where people slip: a colon inside a plain value belongs to the value. Nested maps are kept as text of
 * their key. Never throws.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = clean.split("\n");
  if (lines[0]?.trimEnd() !== "---") return { fields: {}, body: clean, diagnostics: [] };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) {
    return { fields: {}, body: clean, diagnostics: ['line 1: the head that begins with "---" does not end'] };
  }
  const fields = new Map<string, string | readonly string[]>();
  const diagnostics: string[] = [];
  for (let at = 1; at < end; ) {
    const line = lines[at] ?? "";
    const next = blockEnd(lines, at, end);
    if (line.trim() !== "" && !line.trimStart().startsWith("#")) {
      const pair = /^([\w-]+)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/.exec(line);
      if (pair === null) diagnostics.push(`line ${at + 1}: "${line.trim().slice(0, 60)}" is no field`);
      else fields.set(pair[1] ?? "", fieldValue(pair[2] ?? "", lines.slice(at + 1, next)));
    }
    at = next;
  }
  return {
    fields: Object.fromEntries(fields),
    body: lines
      .slice(end + 1)
      .join("\n")
      .replace(/^\n+/, ""),
    diagnostics,
  };
}

/** The first line after `at` that is not part of its value. */
function blockEnd(lines: readonly string[], at: number, end: number): number {
  let next = at + 1;
  while (next < end && /^(\s|- |-$)|^$/.test(lines[next] ?? "")) next++;
  return next;
}

function fieldValue(first: string, rest: readonly string[]): string | readonly string[] {
  const start = first.trim();
  if (/^[|>][-+]?\d?$/.test(start)) return block(rest, start.startsWith(">"));
  const items = rest.filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  if (start === "" && items.length > 0 && items.every((line) => /^\s*-(\s|$)/.test(line))) {
    return items.map((line) => scalar(line.replace(/^\s*-\s*/, "")));
  }
  const list = /^\[(.*)\]$/.exec(start);
  if (list !== null) {
    return (list[1] ?? "")
      .split(",")
      .map(scalar)
      .filter((item) => item !== "");
  }
  return scalar([start, ...rest.map((line) => line.trim())].join(" "));
}

/** A block of lines: line breaks kept, or folded into spaces (blank lines stay breaks). */
function block(lines: readonly string[], isFolded: boolean): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  const text = lines
    .map((line) => line.slice(indent))
    .join("\n")
    .trim();
  return isFolded ? text.replaceAll(/\n(\n*)/g, (_, more: string) => more || " ") : text;
}

function scalar(raw: string): string {
  const text = raw.trim();
  if (/^"(?:[^"\\]|\\.)*"/.test(text)) {
    const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0] ?? '""';
    try {
      return String(JSON.parse(quoted));
    } catch {
      return quoted.slice(1, -1);
    }
  }
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
  return single === undefined ? text.replace(/\s+#.*$/, "") : single.replaceAll("''", "'");
}
