import { type Component, visibleWidth } from "@earendil-works/pi-tui";
import { piecesOf } from "./pieces.ts";
import { SafeContainer } from "./safe-container.ts";

/** A line that was wider than the screen, so that its end is not shown. */
export interface ClippedLine {
  /** What drew it. */
  readonly view: string;
  /** How wide it is, and how wide the screen. */
  readonly columns: number;
  readonly screenColumns: number;
}

/** What draws a line that is too wide, as deep as it stands; the lowest one on the screen. */
export function findClippedLine(component: Component, screenColumns: number): ClippedLine | undefined {
  if (component instanceof SafeContainer) {
    for (const child of component.children.toReversed()) {
      const found = findClippedLine(child, screenColumns);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const columns = widestLine(component, screenColumns);
  return columns <= screenColumns ? undefined : { view: component.constructor.name, columns, screenColumns };
}

function widestLine(component: Component, width: number): number {
  try {
    const widths = piecesOf(component, width).map((piece) => piece.map(textColumns));
    return widths.flat().reduce((widest, columns) => Math.max(widest, columns), 0);
  } catch {
    return 0;
  }
}

/** Blanks at the end of a line show nothing. */
function textColumns(line: string): number {
  return visibleWidth(line.trimEnd());
}

/** How a person is told of it. */
export function clippedLineNotice({ view, columns, screenColumns }: ClippedLine): string {
  return `A line of ${view} is ${columns} columns wide on a screen of ${screenColumns}; its end is not shown. This is a fault of Coppice: please report it.`;
}
