import type { Paint, Tone } from "../theme.ts";
import { toneOfScope } from "./scope-tone.ts";

const TOKEN = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** The HTML of highlight.js as painted lines; each line stands alone, also inside of what goes over several. */
export function htmlLines(html: string, paint: Paint): string[] {
  const open: (Tone | undefined)[] = [];
  const lines = [""];
  for (const [token, classes] of html.matchAll(TOKEN)) {
    if (classes !== undefined) open.push(toneOfScope(classes) ?? open.at(-1));
    else if (token === "</span>") open.pop();
    else appendText(lines, unescaped(token), open.at(-1), paint);
  }
  return lines;
}

function appendText(lines: string[], text: string, tone: Tone | undefined, paint: Paint): void {
  for (const [index, part] of text.split("\n").entries()) {
    const painted = tone === undefined || part === "" ? part : paint(tone, part);
    if (index === 0) lines[lines.length - 1] += painted;
    else lines.push(painted);
  }
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
