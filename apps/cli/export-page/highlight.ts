const NAME = "search-match";
const MAX_RANGES = 500;

/** Marks every place in an element where a text stands; where the browser cannot, nothing is marked. */
export function highlight(holder: Element, query: string): void {
  if (typeof Highlight === "undefined" || typeof CSS === "undefined" || CSS.highlights === undefined) return;
  CSS.highlights.delete(NAME);
  const wanted = query.toLowerCase();
  if (wanted === "") return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? "";
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      // Some characters are longer in lower case; a range must not end behind its text.
      if (at + wanted.length > (node.nodeValue?.length ?? 0)) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
