/** A piece of code; the class is a name of the style sheet, empty for what has none. */
export interface CodeToken {
  readonly text: string;
  readonly class: "" | "code-comment" | "code-string" | "code-number" | "code-keyword";
}

/** Longer code is shown without colours. */
const MAX_CHARACTERS = 60_000;

type Family = "slash" | "hash" | "dash" | "markup";

const FAMILIES: Readonly<Record<Family, string>> = {
  slash:
    "js jsx ts tsx mjs cjs mts cts javascript typescript json json5 jsonc java kotlin kt scala c h cc cpp hpp cs csharp go rust rs swift dart php css scss less proto zig solidity groovy gradle",
  hash: "py python rb ruby sh bash zsh fish shell console yaml yml toml ini conf dockerfile makefile make r perl pl elixir ex nix cmake env properties tf hcl",
  dash: "sql lua haskell hs ada elm",
  markup: "html xml svg vue svelte",
};

const FAMILY_OF: ReadonlyMap<string, Family> = new Map(
  Object.entries(FAMILIES).flatMap(([family, names]) =>
    names.split(" ").map((name) => [name, family as Family]),
  ),
);

const KEYWORDS: ReadonlySet<string> = new Set(
  "abstract and as assert async await begin bool boolean break case catch char class const continue crate def default defer del delete do double elif else end enum esac except export extends extern false fi final finally float fn for foreach from func function global go if impl implements import in instanceof int interface is lambda let local long loop match mod module mut namespace new nil None not null object of or override package pass private protected pub public raise readonly ref return select self Self short sizeof static string struct super switch then this throw throws trait true True False try type typeof undefined unless unsigned until use using var void volatile when where while with yield SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX JOIN LEFT RIGHT INNER ON GROUP BY ORDER LIMIT AND OR NOT NULL PRIMARY KEY echo cd export fi done".split(
    " ",
  ),
);

const STRING = String.raw`"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|\x60(?:[^\x60\\]|\\[\s\S])*\x60`;
const REST = String.raw`\b\d[\w.]*|[A-Za-z_$][\w$]*`;
const COMMENTS: Readonly<Record<Family, string>> = {
  slash: String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  hash: String.raw`(?<![\w$])#[^\n]*`,
  dash: "--[^\\n]*",
  markup: String.raw`<!-{2}[\s\S]*?(?:-->|$)`,
};
const PATTERNS: Readonly<Record<Family, RegExp>> = {
  slash: tokenPattern("slash"),
  hash: tokenPattern("hash"),
  dash: tokenPattern("dash"),
  markup: tokenPattern("markup"),
};

function tokenPattern(family: Family): RegExp {
  return new RegExp(`(${COMMENTS[family]})|(${STRING})|(${REST})`, "g");
}

/** Code in pieces: comments, texts, numbers, words. One rough rule for families of languages, none for unknown ones. */
export function codeTokens(code: string, language: string): readonly CodeToken[] {
  const family = FAMILY_OF.get(language.toLowerCase().split(/[\s,{]/)[0] ?? "");
  if (family === undefined || code.length > MAX_CHARACTERS) return [{ text: code, class: "" }];
  const tokens: CodeToken[] = [];
  let at = 0;
  for (const match of code.matchAll(PATTERNS[family])) {
    const [text, comment, string] = match;
    const kind =
      comment !== undefined ? "code-comment" : string !== undefined ? "code-string" : wordClass(text);
    if (kind === "") continue;
    if (match.index > at) tokens.push({ text: code.slice(at, match.index), class: "" });
    tokens.push({ text, class: kind });
    at = match.index + text.length;
  }
  if (at < code.length) tokens.push({ text: code.slice(at), class: "" });
  return tokens;
}

function wordClass(word: string): CodeToken["class"] {
  if (/^\d/.test(word)) return "code-number";
  return KEYWORDS.has(word) ? "code-keyword" : "";
}

/** The language that the end of a file's name speaks of; empty where there is none. */
export function languageOf(path: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1] ?? "";
}
