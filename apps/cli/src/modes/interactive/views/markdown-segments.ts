/** A shorter segment is not worth a view of its own. */
const MIN_CHARACTERS = 2_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Lines that begin a block of their own after a blank line, whatever came before: a heading or plain text at the
 * margin. List items, quotes and the like may belong to what is above the blank line.
 */
const BEGINS_BLOCK = /^(?:#{1,6} |[\p{L}*_`])/u;

/** What reaches over blank lines: HTML blocks, and definitions that links anywhere may use. */
const REACHES_FAR = /^ {0,3}(?:<|\[[^\]]+\]:)/m;

/** A bullet, in the characters that also begin emphasis. */
const BULLET = /^[*+-]\s/;

/**
 * Cuts markdown where its parts read the same alone as together, so that a stream only has to be read again from the
 * last cut on. The parts, a blank line between, are the text; only the last one changes as text is added.
 */
export function markdownSegments(text: string): readonly string[] {
  if (text.length < MIN_CHARACTERS || REACHES_FAR.test(text)) return [text];
  const segments: string[] = [];
  let start = 0;
  let fence = "";
  let isAfterBlank = false;
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(at, end);
    // A line that is still being written may become a bullet.
    const isWhole = lineEnd !== -1;
    const beginsBlock = isWhole && fence === "" && BEGINS_BLOCK.test(line) && !BULLET.test(line);
    if (isAfterBlank && beginsBlock && at - start >= MIN_CHARACTERS) {
      segments.push(text.slice(start, at).trimEnd());
      start = at;
    }
    fence = fenceAfter(line, fence);
    isAfterBlank = line.trim() === "";
    at = end + 1;
  }
  return [...segments, text.slice(start)];
}

/** The fence that is open after a line; empty when none is. */
function fenceAfter(line: string, open: string): string {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === "") return mark;
  return mark.startsWith(open) && line.trim() === mark ? "" : open;
}
