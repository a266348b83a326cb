import { deleteKittyImage, TuiMainScreen, type TuiMainScreenRenderState } from "@earendil-works/pi-tui";
import { Frame } from "./frame.ts";
import { piecesOf } from "./pieces.ts";
import { isImage } from "./screen.ts";

/** So many lines must have scrolled away before they are let go: doing so costs about as much as a frame. */
const MIN_LET_GO_LINES = 100;

/** In the command that draws an image. */
const KITTY_IMAGE_ID = /_G(?:[^;]*,)?i=(\d+)/;

/**
 * The main screen, which leaves what it showed as it was, and whose frames cost what is in sight.
 *
 * The renderer below reads every line of the conversation for every frame. Lines that have scrolled away cannot be drawn
 * again without drawing everything, so as long as they are the same, it is given only those after them (fault kind
 * UI-17). Whatever needs more, such as another width or a change above the window, gets all lines, and the renderer
 * decides as it always does.
 */
export class OwnScreen extends TuiMainScreen {
  #frame = new Frame([]);
  #size = { columns: 0, rows: 0 };
  /** Lines at the top that the renderer below is not given. */
  #above = 0;
  #given: readonly string[] = [];
  #before: { readonly lines: readonly string[]; readonly ended: readonly string[] } = {
    lines: [],
    ended: [],
  };

  /** The lines of this frame that the renderer below has to look at. */
  override render(): readonly string[] {
    return this.#given;
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const { columns, rows } = this.terminal;
    const frame = new Frame(this.children.flatMap((child) => piecesOf(child, columns)));
    const isSameSize = columns === this.#size.columns && rows === this.#size.rows;
    if (!isSameSize || !this.#fitsWindow(frame)) this.#takeBack();
    this.#given = frame.lines(this.#above);
    super.doRender();
    this.#frame = frame;
    this.#size = { columns, rows };
    this.#letGo();
  }

  protected override resetRenderState(): void {
    super.resetRenderState();
    this.#above = 0;
  }

  /** Whether the frame can be drawn without the lines above: where all must be drawn anew, they are needed. */
  #fitsWindow(frame: Frame): boolean {
    if (this.#above === 0) return true;
    const top = this.#above + this.captureRenderState().previousViewportTop;
    return (
      !this.hasOverlayEntries &&
      frame.length > top &&
      frame.beginsLike(this.#frame, top) &&
      !frame.lines(this.#above).some(isImage)
    );
  }

  /** Lets lines go that have scrolled away. Images stay the business of the renderer below, which knows them by line. */
  #letGo(): void {
    if (this.#given.length < this.#size.rows + MIN_LET_GO_LINES || this.getClearOnShrink()) return;
    const state = this.captureRenderState();
    const count = state.previousViewportTop;
    if (count < MIN_LET_GO_LINES || this.#given.slice(count).some(isImage)) return;
    this.restoreRenderState(moved(state, -count, state.previousLines.slice(count)));
    this.#above += count;
  }

  /** Gives the lines back that were let go. */
  #takeBack(): void {
    if (this.#above === 0) return;
    const state = this.captureRenderState();
    const above = super.applyLineResets(this.resolveFakeCursors(this.#frame.lines(0, this.#above)));
    // The renderer below no longer knows images that were let go, and draws them anew.
    for (const line of above.filter(isImage)) this.#deleteImage(line);
    this.restoreRenderState(moved(state, this.#above, [...above, ...state.previousLines]));
    this.#above = 0;
  }

  #deleteImage(line: string): void {
    const id = KITTY_IMAGE_ID.exec(line)?.[1];
    if (id !== undefined) this.terminal.write(deleteKittyImage(Number(id)));
  }

  /** Ends each line as the terminal needs it; lines that are as in the frame before are not made again. */
  protected override applyLineResets(lines: string[]): string[] {
    const { lines: linesBefore, ended: endedBefore } = this.#before;
    const ended = lines.map((line, index) => {
      const before = linesBefore[index] === line ? endedBefore[index] : undefined;
      return before ?? super.applyLineResets([line])[0] ?? line;
    });
    this.#before = { lines, ended };
    return ended;
  }

  /** Puts the cursor below the last line; nothing is written over. */
  protected override beforeTerminalStop(): void {
    const { previousLines, hardwareCursorRow } = this.captureRenderState();
    if (previousLines.length === 0) return;
    const rows = previousLines.length - 1 - hardwareCursorRow;
    const move = rows === 0 ? "" : `\u001b[${Math.abs(rows)}${rows > 0 ? "B" : "A"}`;
    this.terminal.write(`${move}\r\n`);
  }
}

/** The state of the renderer with all rows moved by `count`. */
function moved(
  state: TuiMainScreenRenderState,
  count: number,
  previousLines: string[],
): TuiMainScreenRenderState {
  return {
    ...state,
    previousLines,
    cursorRow: state.cursorRow + count,
    hardwareCursorRow: state.hardwareCursorRow + count,
    maxLinesRendered: state.maxLinesRendered + count,
    previousViewportTop: state.previousViewportTop + count,
  };
}
