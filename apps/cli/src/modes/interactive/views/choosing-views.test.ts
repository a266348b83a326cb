import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Screen } from "../screen.ts";
import { CHOOSING_VIEWS, createChoosingView } from "../testing/choosing-views.ts";
import { hostileText } from "../testing/hostile-text.ts";
import { isNeutralAtEnd } from "../testing/neutral-end.ts";

const [ENTER, ESCAPE, CTRL_C, UP, DOWN, BACKSPACE] = [
  ...["\r", "\u001b", "\u0003", "\u001b[A", "\u001b[B", "\u007f"],
] as const;
const TEXTS = ["alpha one", "beta two", "gamma one", "delta two"];

async function opened(name: string, texts: readonly string[] = TEXTS) {
  const { view, ...rest } = await createChoosingView(name, texts);
  const type = (...keys: readonly string[]) => {
    for (const key of keys) view.handleInput(key);
  };
  return { ...rest, view, type };
}

describe.each(CHOOSING_VIEWS)("%s", (name) => {
  test("UI-12: a query marks a match of it, and Enter takes the marked row", async () => {
    const { type, marked, answers } = await opened(name);
    type(..."gam");
    expect(marked()).toBe("gamma one");
    type(ENTER);
    expect(answers).toEqual(["gamma one"]);
  });

  test("UI-12: however the mark is moved and the list narrowed, Enter takes the row that is marked on the screen", async () => {
    const key = fc.constantFrom(UP, DOWN, BACKSPACE, ..."aet");
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 20 }), async (keys) => {
        const { type, marked, answers } = await opened(name);
        type(...keys);
        const expected = marked();
        type(ENTER);
        expect(answers).toEqual(expected === undefined ? [] : [expected]);
      }),
      { numRuns: 40 },
    );
  });

  test("UI-12: Esc and Ctrl+C leave, with nothing chosen", async () => {
    for (const key of [ESCAPE, CTRL_C]) {
      const { type, answers } = await opened(name);
      type(DOWN, key);
      expect(answers).toEqual([undefined]);
    }
  });

  test("UI-12: a list without a match stays open, takes nothing at Enter, and is whole again without the query", async () => {
    const { type, marked, answers } = await opened(name);
    type(..."zzzz", ENTER, UP, DOWN, ENTER);
    expect([marked(), answers]).toEqual([undefined, []]);
    type(BACKSPACE, BACKSPACE, BACKSPACE, BACKSPACE);
    expect(TEXTS).toContain(marked());
    type(ESCAPE);
    expect(answers).toEqual([undefined]);
  });

  test("UI-12: a list of nothing can be looked at and left", async () => {
    const { type, marked, answers } = await opened(name, []);
    type(UP, DOWN, "a", BACKSPACE, ENTER);
    expect([marked(), answers]).toEqual([undefined, []]);
    type(ESCAPE);
    expect(answers).toEqual([undefined]);
  });

  test("UI-01, UI-02, UI-09: whatever is listed, lines fit, end without colours, and drive no terminal", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 120 }),
        async (texts, width) => {
          const { view } = await opened(name, texts);
          const screen = new Screen();
          screen.addChild(view);
          for (const line of screen.render(width)) {
            expect(visibleWidth(line)).toBeLessThanOrEqual(width);
            expect(isNeutralAtEnd(line)).toBe(true);
            expect(line).not.toContain("\u001b]");
            expect(stripVTControlCharacters(line)).not.toContain("\u001b");
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
