import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { Picker, type PickerOptions } from "./picker.ts";

const create = (options: Partial<PickerOptions> = {}) =>
  new Picker({
    title: [],
    choices: [
      { value: "no", label: "Work without", description: "remembered; the flag counts for one run only" },
      { value: "yes", label: "Trust", description: "asked again when these files change" },
    ],
    paint: createPaint(false),
    onDone: () => {},
    ...options,
  });
const shown = (picker: Picker, width: number) => picker.render(width).map((line) => line.trimEnd());

test("descriptions stand beside their labels, whole where there is room", () => {
  expect(shown(create(), 70).slice(1, 3)).toEqual([
    "→ Work without  remembered; the flag counts for one run only",
    "  Trust         asked again when these files change",
  ]);
});

test("a list without a match says so, whatever it lists", () => {
  const picker = create();
  for (const key of "zzz") picker.handleInput(key);
  expect(shown(picker, 70).slice(1, 3)).toEqual(["/ zzz", "  Nothing fits."]);
  for (const _ of "zzz") picker.handleInput("\u007f");
  expect(shown(picker, 70)[1]).toContain("→ Work without");
});

test("UI-12: a list of nothing says so, not that nothing fits a query that nobody wrote", () => {
  expect(shown(create({ choices: [] }), 70)[1]).toBe("  There is nothing to choose from.");
});

test("the line below says what the keys do: in a list that letters do not narrow, not that they would", () => {
  const below = (options: Partial<PickerOptions>) => shown(create(options), 90).at(-1);
  expect(below({})).toBe("↑↓ move · type to narrow · Enter takes · Esc leaves");
  expect(below({ canNarrow: false })).toBe("↑↓ move · Enter takes · Esc leaves");
  expect(below({ keys: "Esc refuses" })).toBe("Esc refuses");
  expect(below({ keys: "Esc refuses", hint: (keys) => `soon: ${keys}` })).toBe("soon: Esc refuses");
});
