/** Text with what is marked in it. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "deleted"; readonly children: readonly Inline[] }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] };

/** How far the end of a mark is looked for; past it the mark is text. Keeps the work linear. */
const MAX_SPAN_CHARACTERS = 4000;
const MAX_LABEL_CHARACTERS = 500;
const MAX_DEPTH = 8;
/** Ends of a mark that are looked at before it is text. */
const MAX_TRIES = 20;

/** Where something may begin; everything else is text. */
const SPECIAL = /[\\`*_~[<]|!\[|\bhttps?:\/\//g;
/** Ends before whatever `isSafeUrl` would not let through. */
const BARE_URL = /https?:\/\/[^\s<>"'`|\\^{}\p{C}]+/uy;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y;
const LINK_END =
  /\]\(\s{0,4}<?([^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000}){0,4})>?(?:\s{1,4}"[^"\n]{0,400}")?\s{0,4}\)/y;
const MARKS = ["**", "__", "~~", "*", "_"] as const;

interface Span {
  readonly node: Inline;
  readonly end: number;
}

/** Parses the marks inside a paragraph. What is no mark stays text, HTML included; nothing is lost. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const nodes: Inline[] = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain !== "") nodes.push({ type: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const start = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, start);
    at = start;
    if (at === text.length) break;
    const span = depth < MAX_DEPTH ? spanAt(text, at, depth) : undefined;
    if (span !== undefined) {
      flush();
      nodes.push(span.node);
      at = span.end;
    } else {
      const isEscape = text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "");
      const length = isEscape ? 2 : markRun(text, at);
      plain += isEscape ? (text[at + 1] ?? "") : text.slice(at, at + length);
      at += length;
    }
  }
  flush();
  return nodes;
}

/** A run of one mark is tried once, as a whole: `****` is no beginning of anything. */
function markRun(text: string, at: number): number {
  let end = at + 1;
  if (!"*_~`".includes(text[at] ?? "")) return 1;
  while (text[end] === text[at]) end++;
  return end - at;
}

function spanAt(text: string, at: number, depth: number): Span | undefined {
  switch (text[at]) {
    case "`":
      return codeSpan(text, at);
    case "[":
      return link(text, at, depth);
    case "!":
      return link(text, at + 1, depth);
    case "<":
      return autolink(text, at);
    case "h":
      return bareUrl(text, at);
    default:
      return marked(text, at, depth);
  }
}

function codeSpan(text: string, at: number): Span | undefined {
  const run = text.slice(at, at + markRun(text, at));
  const from = at + run.length;
  let end = indexWithin(text, run, from);
  for (let tries = 0; end !== -1 && tries < MAX_TRIES; tries++) {
    const length = markRun(text, end);
    if (length === run.length) {
      const inner = text.slice(from, end);
      const isPadded = /^ .*\S.* $/s.test(inner);
      return { node: { type: "code", text: isPadded ? inner.slice(1, -1) : inner }, end: end + length };
    }
    end = indexWithin(text, run, end + length);
  }
  return undefined;
}

function marked(text: string, at: number, depth: number): Span | undefined {
  const mark = MARKS.find((candidate) => text.startsWith(candidate, at));
  if (mark === undefined || markRun(text, at) > 3) return undefined;
  const from = at + mark.length;
  const isWordMark = mark.startsWith("_");
  if (/^\s|^$/.test(text[from] ?? "")) return undefined;
  if (isWordMark && /\w/.test(text[at - 1] ?? "")) return undefined;
  let end = from;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    end = indexWithin(text, mark, end + 1);
    if (end === -1) return undefined;
    // The mark stands at the end of a longer run: what is before it in the run belongs to what is inside.
    if (mark.length === 2) end += markRun(text, end) - 2;
    const isEnd = !/\s/.test(text[end - 1] ?? "") && text[end - 1] !== "\\";
    const isOther = mark.length === 1 && (text[end + 1] === mark || text[end - 1] === mark);
    if (!isEnd || isOther || (isWordMark && /\w/.test(text[end + mark.length] ?? ""))) continue;
    const type = mark === "~~" ? "deleted" : mark.length === 2 ? "strong" : "emphasis";
    return {
      node: { type, children: parseInline(text.slice(from, end), depth + 1) },
      end: end + mark.length,
    };
  }
  return undefined;
}

function link(text: string, at: number, depth: number): Span | undefined {
  const close = closingBracket(text, at);
  if (close === -1) return undefined;
  LINK_END.lastIndex = close;
  const match = LINK_END.exec(text);
  if (match === null) return undefined;
  const url = match[1] ?? "";
  const label = text.slice(at + 1, close);
  const end = LINK_END.lastIndex;
  // A link that is not followed stays as it was written.
  if (!isSafeUrl(url)) return { node: { type: "text", text: text.slice(at, end) }, end };
  const children = parseInline(label === "" ? url : label, depth + 1);
  return { node: { type: "link", url, children }, end };
}

function closingBracket(text: string, at: number): number {
  let open = 0;
  const limit = Math.min(text.length, at + MAX_LABEL_CHARACTERS);
  for (let index = at; index < limit; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "[") open++;
    else if (text[index] === "]" && --open === 0) return index;
  }
  return -1;
}

function autolink(text: string, at: number): Span | undefined {
  AUTOLINK.lastIndex = at;
  const url = AUTOLINK.exec(text)?.[1];
  if (url === undefined || !isSafeUrl(url)) return undefined;
  return { node: { type: "link", url, children: [{ type: "text", text: url }] }, end: AUTOLINK.lastIndex };
}

function bareUrl(text: string, at: number): Span | undefined {
  BARE_URL.lastIndex = at;
  const match = BARE_URL.exec(text)?.[0].replace(/[.,;:!?)\]*_~]+$/, "");
  if (match === undefined || !isSafeUrl(match)) return undefined;
  return {
    node: { type: "link", url: match, children: [{ type: "text", text: match }] },
    end: at + match.length,
  };
}

/** Only addresses that a browser opens as a page or a letter; whatever could hide its scheme is none. */
export function isSafeUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"<>\\^`{|}]/.test(url))
    return false;
  return /^https?:\/\/[^/?#]/i.test(url) || /^mailto:[^/]/i.test(url);
}

function indexWithin(text: string, wanted: string, from: number): number {
  const found = text.slice(from, from + MAX_SPAN_CHARACTERS).indexOf(wanted);
  return found === -1 ? -1 : from + found;
}
