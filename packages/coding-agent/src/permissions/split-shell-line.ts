import type { ShellCommand, ShellLine } from "./shell-command.ts";
import { scriptWords } from "./shell-scripts.ts";

/** Words that only introduce or end what follows, at the place of a command's name. */
const TRANSPARENT = new Set([
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "!",
  "{",
  "}",
]);

/** Constructs that are not taken apart here: a line with one of them is not understood. */
const OPAQUE = new Set(["case", "esac", "select", "function", "coproc", "[[", "((", "time"]);

/** Scripts within scripts that are still read. */
const MOST_SCRIPT_DEPTH = 5;
/** Deeper nesting is no line that a person would write. */
const MOST_DEPTH = 20;

/**
 * Takes a POSIX shell line (with the usual bash additions) apart into its simple commands.
 *
 * It is made for permissions, so it errs to one side: what it does not know makes the line "not understood", and it never
 * reports fewer commands than a shell would run on a line that it calls understood.
 */
export function splitShellLine(text: string, depth = 0): ShellLine {
  const reader = new ShellReader(text);
  reader.list(0, undefined);
  const commands: ShellCommand[] = [];
  let { isUnderstood } = reader;
  for (const command of reader.commands) {
    commands.push(command);
    const script = scriptIn(command);
    if (script === undefined) continue;
    const inner =
      depth < MOST_SCRIPT_DEPTH && script.isPlain ? splitShellLine(script.text, depth + 1) : undefined;
    commands.push(...(inner?.commands ?? []));
    if (inner?.isUnderstood !== true) isUnderstood = false;
  }
  return { commands, isUnderstood };
}

/** What a shell in a command would run: `sh -c '…'`, `eval …`, behind whatever wraps it. */
function scriptIn({
  words,
  openWords,
}: ShellCommand): { readonly text: string; readonly isPlain: boolean } | undefined {
  const at = scriptWords(words);
  if (at.length === 0) return undefined;
  const isEval = words[(at[0] ?? 0) - 1] === "eval";
  return {
    text: at.map((index) => words[index]).join(isEval ? " " : "\n"),
    isPlain: at.every((index) => !openWords.includes(index)),
  };
}

type OpenCommand = { readonly [Field in keyof ShellCommand]: ShellCommand[Field][number][] };

function emptyCommand(): OpenCommand {
  return { words: [], openWords: [], reads: [], writes: [] };
}

class ShellReader {
  readonly commands: ShellCommand[] = [];
  isUnderstood = true;
  readonly #text: string;
  #at = 0;
  #command = emptyCommand();
  #word: string | undefined;
  /** Whether the shell makes something else of the word when it runs. */
  #isOpen = false;
  /** Announced on this line; their bodies begin with the next one. */
  #hereDocuments: { readonly end: string; readonly isQuoted: boolean; readonly ignoresTabs: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads commands up to `end` (or the end of the text), which is left behind. */
  list(depth: number, end: ")" | undefined): void {
    if (depth > MOST_DEPTH) this.#giveUp();
    const outer = { command: this.#command, word: this.#word, isOpen: this.#isOpen };
    this.#command = emptyCommand();
    this.#word = undefined;
    this.#isOpen = false;
    while (this.#at < this.#text.length && this.isUnderstood) {
      const character = this.#text[this.#at] ?? "";
      if (character === ")") {
        if (end === undefined) this.#giveUp();
        this.#at++;
        this.#endCommand();
        this.#command = outer.command;
        this.#word = outer.word;
        this.#isOpen = outer.isOpen;
        return;
      }
      this.#step(character, depth);
    }
    if (end !== undefined) this.#giveUp();
    this.#endCommand();
  }

  #step(character: string, depth: number): void {
    if (character === "\n" || character === ";" || character === "|") {
      this.#at++;
      this.#endCommand();
      if (character === "\n") this.#skipHereDocuments();
    } else if (character === "&") this.#ampersand();
    else if (character === " " || character === "\t") {
      this.#at++;
      this.#endWord();
    } else if (character === "#" && this.#word === undefined) this.#comment();
    else if (character === ">" || character === "<") this.#redirection(depth);
    else if (character === "(") this.#parenthesis(depth);
    else this.#wordPart(character, depth);
  }

  #wordPart(character: string, depth: number): void {
    if (character === "\\") this.#escape();
    else if (character === "'") this.#append(this.#until("'"));
    else if (character === '"') this.#doubleQuoted(depth);
    else if (character === "$") this.#dollar(depth);
    else if (character === "`") this.#backticks();
    else if (character === "\r" || character === "\0") this.#giveUp();
    else {
      if (/[*?[{]/.test(character)) this.#isOpen = true;
      this.#append(character);
      this.#at++;
    }
  }

  /** `&&` and `&` end a command; `&>` redirects both streams. */
  #ampersand(): void {
    if (this.#text[this.#at + 1] === ">") {
      this.#endWord();
      this.#at++;
      this.#redirection(0);
      return;
    }
    this.#at++;
    this.#endCommand();
  }

  #comment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #parenthesis(depth: number): void {
    // Behind a word it declares a function; doubled it is arithmetic.
    const startsCommand =
      this.#word === undefined && this.#command.words.every((word) => TRANSPARENT.has(word));
    if (!startsCommand || this.#text[this.#at + 1] === "(") {
      this.#giveUp();
      return;
    }
    this.#at++;
    this.list(depth + 1, ")");
    // Only a redirection or the end of the command may follow a subshell; both are read as usual.
  }

  #redirection(depth: number): void {
    if (this.#word !== undefined && /^\d+$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    const operator =
      /^(?:<<<|<<-?|<>|<&|<\(|<|>>|>\||>&|>\(|>)/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0] ?? "";
    this.#at += operator.length;
    if (operator.endsWith("(")) {
      this.list(depth + 1, ")");
      this.#appendOpen("<()");
      return;
    }
    const from = this.#at;
    const target = this.#target(depth);
    if (operator === "<<" || operator === "<<-") {
      const isQuoted = /['"\\]/.test(this.#text.slice(from, this.#at));
      this.#hereDocuments.push({ end: target ?? "", isQuoted, ignoresTabs: operator === "<<-" });
      return;
    }
    const duplicates = operator.endsWith("&") && /^(?:\d+|-)$/.test(target ?? "");
    if (target === undefined) this.#giveUp();
    else if (!duplicates && operator !== "<<<") {
      if (operator.startsWith(">") || operator === "<>") this.#command.writes.push(target);
      if (operator.startsWith("<")) this.#command.reads.push(target);
    }
  }

  /** The word behind a redirection. */
  #target(depth: number): string | undefined {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
    while (this.#at < this.#text.length && this.isUnderstood) {
      const character = this.#text[this.#at] ?? "";
      if (/[\s;|&<>()]/.test(character)) break;
      this.#wordPart(character, depth);
    }
    const target = this.#word;
    this.#word = undefined;
    this.#isOpen = false;
    return target;
  }

  /** The body of a here-document is input, but substitutions in it run unless its mark was quoted. */
  #skipHereDocuments(): void {
    for (const { end, isQuoted, ignoresTabs } of this.#hereDocuments.splice(0)) {
      for (;;) {
        const lineEnd = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, lineEnd === -1 ? this.#text.length : lineEnd);
        this.#at = lineEnd === -1 ? this.#text.length : lineEnd + 1;
        if ((ignoresTabs ? line.replace(/^\t+/, "") : line) === end || lineEnd === -1) break;
        if (!isQuoted && /`|\$[({[]/.test(line)) this.#giveUp();
      }
    }
  }

  #escape(): void {
    const next = this.#text[this.#at + 1];
    if (next === undefined) {
      this.#giveUp();
      return;
    }
    if (next !== "\n") this.#append(next);
    this.#at += 2;
  }

  #doubleQuoted(depth: number): void {
    this.#append("");
    this.#at++;
    while (this.#text[this.#at] !== '"') {
      const character = this.#text[this.#at];
      if (character === undefined || !this.isUnderstood) {
        this.#giveUp();
        return;
      }
      if (character === "\\") {
        const next = this.#text[this.#at + 1] ?? "";
        if (!'$`"\\\n'.includes(next)) this.#append("\\");
        if (next !== "\n") this.#append(next);
        this.#at += 2;
      } else if (character === "$") this.#dollar(depth);
      else if (character === "`") this.#backticks();
      else {
        this.#append(character);
        this.#at++;
      }
    }
    this.#at++;
  }

  /** A substitution's commands are read like any others; a parameter stays as it is written. */
  #dollar(depth: number): void {
    const next = this.#text[this.#at + 1];
    if (next === "(") {
      if (this.#text[this.#at + 2] === "(") {
        this.#giveUp();
        return;
      }
      this.#appendOpen("$()");
      this.#at += 2;
      this.list(depth + 1, ")");
    } else if (next === "'" || next === '"' || next === "[") this.#giveUp();
    else if (next === "{") {
      const end = this.#text.indexOf("}", this.#at);
      const inner = end === -1 ? "" : this.#text.slice(this.#at + 2, end);
      // Only a plain name: `${x:-$(rm y)}` and `${x@P}` run things.
      if (!/^\w+$/.test(inner)) {
        this.#giveUp();
        return;
      }
      this.#appendOpen(`$${inner}`);
      this.#at = end + 1;
    } else {
      this.#appendOpen("$");
      this.#at++;
    }
  }

  #backticks(): void {
    const start = this.#at;
    const inner = this.#until("`");
    if (inner.includes("\\")) {
      this.#giveUp();
      return;
    }
    if (start === this.#at) return;
    const line = splitShellLine(inner);
    this.commands.push(...line.commands);
    if (!line.isUnderstood) this.#giveUp();
    this.#appendOpen("$()");
  }

  /** The text up to the closing mark, and past it. */
  #until(mark: string): string {
    const end = this.#text.indexOf(mark, this.#at + 1);
    if (end === -1) {
      this.#giveUp();
      return "";
    }
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inner;
  }

  #append(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #appendOpen(text: string): void {
    this.#append(text);
    this.#isOpen = true;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    const word = this.#word;
    const isOpen = this.#isOpen;
    this.#word = undefined;
    this.#isOpen = false;
    const { words, openWords } = this.#command;
    if (words.length === 0 && TRANSPARENT.has(word)) return;
    if (words.length === 0 && OPAQUE.has(word)) this.#giveUp();
    if (isOpen) openWords.push(words.length);
    words.push(word);
  }

  #endCommand(): void {
    this.#endWord();
    const command = this.#command;
    const [name = ""] = command.words;
    // A name that a pattern, braces or a variable make up could be any name.
    if (/[*?{]|^\[.|^\$/.test(name)) this.#giveUp();
    // `for x in …` runs nothing itself; what its body runs follows.
    const isEmpty = command.words.length + command.reads.length + command.writes.length === 0;
    if (name !== "for" && !isEmpty) this.commands.push(command);
    this.#command = emptyCommand();
  }

  #giveUp(): void {
    this.isUnderstood = false;
  }
}
