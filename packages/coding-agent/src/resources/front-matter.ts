import { messageOf } from "../errors.ts";

/** A Markdown file's head: flat fields between two lines of `---`, and the text behind them. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** What could not be read, with the line in the file. */
  readonly diagnostics: readonly string[];
}

/**
 * Reads the YAML of a head. Scalars are text as written, lists are lists of texts, and nested maps the text of their JSON.
 *
 * It is lenient where people slip: in a head that is no YAML, what a line says behind `key: ` is taken word for word. Never
 * rejects.
 */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const { head, body } = splitFrontMatter(text);
  if (head === undefined) {
    const isOpen = /^---[ \t]*(\n|$)/.test(body);
    const diagnostics = isOpen ? ['line 1: the head that begins with "---" does not end'] : [];
    return { fields: {}, body, diagnostics };
  }
  const strict = await readHead(head);
  return { body, ...(strict.diagnostics.length === 0 ? strict : await readHead(quoted(head))) };
}

/** Cuts a file at its fence lines: `head` is undefined without them. Line ends become `\n`; no byte order mark stays. */
export function splitFrontMatter(text: string): {
  readonly head: string | undefined;
  readonly body: string;
} {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const fenced = /^---[ \t]*\n([\s\S]*?)(?<=\n)---[ \t]*(?:\n+|$)/.exec(clean);
  return { head: fenced?.[1], body: fenced === null ? clean : clean.slice(fenced[0].length) };
}

/** Loads the library on first use: an agent without skills and templates does not pay for it. */
async function readHead(head: string): Promise<Pick<FrontMatter, "fields" | "diagnostics">> {
  const { parseDocument } = await import("yaml");
  try {
    // This schema knows no types: what a person wrote stays as it is written.
    const document = parseDocument(head, { schema: "failsafe", uniqueKeys: false });
    const fields = Object.entries(document.toJS() ?? {}).flatMap(([key, field]) =>
      // Only a line that is no field has no value.
      field === null ? [] : [[key, Array.isArray(field) ? field.map(asText) : asText(field)] as const],
    );
    const diagnostics = document.errors.slice(0, 1).map(({ linePos, message }) => {
      // The head begins on the file's second line.
      const line = (linePos?.[0].line ?? 0) + 1;
      return `line ${line}: ${message.split(/ at line |\n/, 1)[0]}`;
    });
    return { fields: Object.fromEntries(fields), diagnostics };
  } catch (error) {
    return { fields: {}, diagnostics: [`line 2: ${messageOf(error)}`] };
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

/** The head with its plain values in quotes, line for line; quoted ones, blocks and lists stay. */
function quoted(head: string): string {
  return head.replaceAll(
    /^([\w-]+)[ \t]*:[ \t]+(?!["'|>]|\[[^[\]]*\]$)(\S.*(?:\n[ \t]+\S.*)*)$/gm,
    (_, key: string, value: string) => {
      const lines = value.split("\n");
      const text = lines.map((line) => line.trim()).join(" ");
      return `${key}: ${JSON.stringify(text)}${"\n".repeat(lines.length - 1)}`;
    },
  );
}
