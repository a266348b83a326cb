/** A name that a source file defines, with its 1-based line. */
export interface DefinedName {
  readonly name: string;
  readonly line: number;
}

/** What the shown part of a source file says of itself. */
export interface SourceFacts {
  /** First sentence of the leading comment or docstring. */
  readonly purpose: string | undefined;
  readonly definitions: readonly DefinedName[];
  readonly lines: number;
}

const DEFINITION = new RegExp(
  [
    String.raw`^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|const|let|var)\s+([A-Za-z_$][\w$]*)`,
    String.raw`^(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=`,
    String.raw`^(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)`,
    String.raw`^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`,
    String.raw`^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:fn|struct|enum|trait|mod|type|const|static)\s+([A-Za-z_]\w*)`,
    String.raw`^(?:public|private|protected)?\s*(?:static\s+)?(?:final\s+)?(?:abstract\s+)?class\s+([A-Za-z_]\w*)`,
  ].join("|"),
);

/** Source files worth a look, by extension. */
export const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|ex|exs|lua|sh)$/;

/** Reads the definitions and the leading comment of a source text; only what stands there. */
export function readSource(text: string): SourceFacts {
  const lines = text.split("\n");
  const definitions = lines.flatMap((content, index) => {
    const name = DEFINITION.exec(content)
      ?.slice(1)
      .find((group) => group !== undefined);
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
  return { purpose: leadingComment(lines), definitions: uniqueNames(definitions), lines: lines.length };
}

function uniqueNames(definitions: readonly DefinedName[]): readonly DefinedName[] {
  const seen = new Set<string>();
  const unique = definitions.filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined);
  // A leading underscore marks what its author does not show first.
  return [...unique.filter(isShown), ...unique.filter((definition) => !isShown(definition))];
}

function isShown({ name }: DefinedName): boolean {
  return !name.startsWith("_");
}

/** First sentence of the comment that a file opens with; licence headers and pragmas say nothing of purpose. */
function leadingComment(lines: readonly string[]): string | undefined {
  const words: string[] = [];
  for (const line of lines.slice(0, 40)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#!") || /^['"]use \w+['"];?$/.test(trimmed)) {
      if (words.length > 0) break;
      continue;
    }
    const comment = /^(?:\/\/+!?|#+|\/?\*+!?\/?|"""|''')\s?(.*)$/.exec(trimmed)?.[1];
    if (comment === undefined) break;
    const content = comment.replace(/\*\/$|"""$|'''$/, "").trim();
    if (content !== "") words.push(content);
    else if (words.length > 0) break;
  }
  const text = words.join(" ");
  if (text === "" || /copyright|licen[sc]e|eslint|prettier|jshint|@ts-|istanbul/i.test(text))
    return undefined;
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 160);
}
