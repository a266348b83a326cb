/** A value of a JSON text with comments, and where it stands. Offsets count UTF-16 units; `end` is exclusive. */
export interface JsoncNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object, in order. */
  readonly members: readonly JsoncMember[];
}

export interface JsoncMember {
  readonly key: string;
  /** Where the key's quote opens. */
  readonly start: number;
  readonly node: JsoncNode;
}

/** The first thing in a text that is no JSON. Line and column count from 1. */
class JsoncError extends Error {
  override readonly name = "JsoncError";
  readonly line: number;
  readonly column: number;

  constructor(text: string, at: number, expected: string) {
    const before = text.slice(0, at).split("\n");
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    super(`line ${line}, column ${column}: ${expected} expected`);
    this.line = line;
    this.column = column;
  }
}

/** Deeper nesting is no file that a person wrote. */
const MOST_DEPTH = 100;

/**
 * Reads JSON with `//` and block comments, trailing commas and a byte order mark.
 *
 * A key that comes twice keeps its last value. Throws `JsoncError`.
 */
export function parseJsonc(text: string): JsoncNode {
  const reader = new JsoncReader(text);
  const node = reader.value(0);
  reader.skipBlank();
  if (reader.at < text.length) throw new JsoncError(text, reader.at, "the end of the file");
  return node;
}

class JsoncReader {
  readonly #text: string;
  at: number;

  constructor(text: string) {
    this.#text = text;
    this.at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  value(depth: number): JsoncNode {
    this.skipBlank();
    if (depth > MOST_DEPTH) throw this.#expected("less nesting");
    const start = this.at;
    const character = this.#text[this.at];
    if (character === "{") return this.#object(start, depth);
    if (character === "[") return this.#array(start, depth);
    const value = character === '"' ? this.#string() : this.#word();
    return { start, end: this.at, value, members: [] };
  }

  skipBlank(): void {
    for (;;) {
      const rest = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(this.#text.slice(this.at, this.at + 4096));
      if (rest !== null) this.at += rest[0].length;
      else if (this.#text.startsWith("/*", this.at)) this.#longComment();
      else return;
    }
  }

  #longComment(): void {
    const end = this.#text.indexOf("*/", this.at + 2);
    if (end === -1) throw this.#expected('"*/"');
    this.at = end + 2;
  }

  #object(start: number, depth: number): JsoncNode {
    const members: JsoncMember[] = [];
    this.#items("}", () => {
      const keyStart = this.at;
      if (this.#text[keyStart] !== '"') throw this.#expected("a key in double quotes");
      const key = this.#string();
      this.skipBlank();
      if (this.#text[this.at] !== ":") throw this.#expected('":"');
      this.at++;
      members.push({ key, start: keyStart, node: this.value(depth + 1) });
    });
    // Entries instead of assignments, lest a key such as `__proto__` become a prototype.
    const value: unknown = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    return { start, end: this.at, value, members };
  }

  #array(start: number, depth: number): JsoncNode {
    const values: unknown[] = [];
    this.#items("]", () => values.push(this.value(depth + 1).value));
    return { start, end: this.at, value: values, members: [] };
  }

  /** Items with commas between them and perhaps one behind the last, up to and past `close`. */
  #items(close: "}" | "]", item: () => void): void {
    this.at++;
    this.skipBlank();
    while (this.#text[this.at] !== close) {
      item();
      this.skipBlank();
      if (this.#text[this.at] === ",") {
        this.at++;
        this.skipBlank();
      } else if (this.#text[this.at] !== close) throw this.#expected(`"," or "${close}"`);
    }
    this.at++;
  }

  #string(): string {
    const start = this.at;
    for (let at = start + 1; at < this.#text.length && this.#text[at] !== "\n"; at++) {
      if (this.#text[at] === "\\") at++;
      else if (this.#text[at] === '"') {
        this.at = at + 1;
        return this.#parsed(start) as string;
      }
    }
    throw this.#expected("a closing quote");
  }

  #word(): unknown {
    const start = this.at;
    const word = /^[-+.\w]+/.exec(this.#text.slice(start, start + 64))?.[0];
    if (word === undefined) throw this.#expected("a value");
    this.at += word.length;
    return this.#parsed(start);
  }

  #parsed(start: number): unknown {
    try {
      return JSON.parse(this.#text.slice(start, this.at));
    } catch {
      throw new JsoncError(this.#text, start, "a JSON value");
    }
  }

  #expected(what: string): JsoncError {
    return new JsoncError(this.#text, this.at, what);
  }
}
