import { TuiMainScreen } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createPaint } from "../theme.ts";
import { PromptEditor } from "./prompt-editor.ts";

const [CTRL_U, CTRL_K, CTRL_W, CTRL_Y, ALT_B, ALT_F] = [
  ...["\u0015", "\u000b", "\u0017", "\u0019", "\u001bb", "\u001bf"],
] as const;
const [BACKSPACE, DELETE, LEFT, RIGHT, CTRL_A, CTRL_E] = [
  ...["\u007f", "\u001b[3~", "\u001b[D", "\u001b[C", "\u0001", "\u0005"],
] as const;
const CHIP = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
const PASTE = `\u001b[200~${CHIP}\u001b[201~`;

const isBlank = (unit: string | undefined) => unit === " ";
const isBreak = (unit: string | undefined) => unit === undefined || unit === "\n";

/** Moves and kills in the simplest way: units before and behind the caret, a pasted text being one of them. */
class Reference {
  before: string[] = [];
  after: string[] = [];
  killed: string[] | undefined;
  #isKilling = false;

  get text(): string {
    return [...this.before, ...this.after].join("");
  }

  apply(key: string): void {
    const wasKilling = this.#isKilling;
    this.#isKilling = false;
    if (key === BACKSPACE) this.before.pop();
    else if (key === DELETE) this.after.shift();
    else if (key === LEFT) this.#back(1);
    else if (key === RIGHT) this.#on(1);
    else if (key === CTRL_A) this.#back(this.#toLineStart());
    else if (key === CTRL_E) this.#on(this.#toLineEnd());
    else if (key === ALT_B) this.#back(this.#wordBefore());
    else if (key === ALT_F) this.#on(this.#wordBehind());
    else if (key === CTRL_W) this.#killBefore(this.#wordBefore(), wasKilling);
    else if (key === CTRL_U) this.#killBefore(this.#toLineStart() || 1, wasKilling);
    else if (key === CTRL_K) this.#killBehind(this.#toLineEnd() || 1, wasKilling);
    else if (key === CTRL_Y) this.before.push(...(this.killed ?? []));
    else this.before.push(key === PASTE ? CHIP : key);
  }

  #back(count: number): void {
    if (count > 0) this.after.unshift(...this.before.splice(-count));
  }

  #on(count: number): void {
    this.before.push(...this.after.splice(0, count));
  }

  #toLineStart(): number {
    return this.before.length - 1 - this.before.lastIndexOf("\n");
  }

  #toLineEnd(): number {
    const at = this.after.indexOf("\n");
    return at === -1 ? this.after.length : at;
  }

  /** At the edge of a line, the line break is the word. */
  #wordBefore(): number {
    return wordIn(this.before.toReversed());
  }

  #wordBehind(): number {
    return wordIn(this.after);
  }

  #killBefore(count: number, isMore: boolean): void {
    if (this.before.length === 0) {
      this.#isKilling = isMore;
      return;
    }
    const taken = this.before.splice(-count);
    this.killed = [...taken, ...(isMore ? (this.killed ?? []) : [])];
    this.#isKilling = true;
  }

  #killBehind(count: number, isMore: boolean): void {
    if (this.after.length === 0) {
      this.#isKilling = isMore;
      return;
    }
    const taken = this.after.splice(0, count);
    this.killed = [...(isMore ? (this.killed ?? []) : []), ...taken];
    this.#isKilling = true;
  }
}

/** How many units from the caret on are blanks and then a word. */
function wordIn(units: readonly string[]): number {
  if (isBreak(units[0])) return Math.min(1, units.length);
  let count = 0;
  while (isBlank(units[count])) count++;
  while (!isBlank(units[count]) && !isBreak(units[count])) count++;
  return count;
}

function createEditor() {
  return new PromptEditor({
    ...{ tui: new TuiMainScreen(createFakeTerminal()), paint: createPaint(false) },
    ...{ onKey: () => false, onSubmit: () => {} },
  });
}

const LINE_KEYS = [BACKSPACE, DELETE, LEFT, RIGHT, CTRL_A, CTRL_E, CTRL_U, CTRL_K, CTRL_Y];

test.each([
  { name: "moves and kills of words", keys: [..."ab  ", "\n", ...LINE_KEYS, CTRL_W, ALT_B, ALT_F] },
  { name: "large pastes, which move, go and come back as one", keys: [..."ab ", "\n", PASTE, ...LINE_KEYS] },
])(
  "UI-05, UI-10: $name agree with a naive editor, and what was killed comes back",
  ({ keys }) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...keys), { maxLength: 40 }), (pressed) => {
        const [editor, reference] = [createEditor(), new Reference()];
        for (const key of pressed) {
          editor.handleInput(key);
          reference.apply(key);
          expect(editor.getExpandedText()).toBe(reference.text);
        }
      }),
      { numRuns: 200 },
    );
  },
  60_000,
);
