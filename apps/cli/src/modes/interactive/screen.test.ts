import { type Component, Editor, TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ClippedLine, clippedLineNotice } from "./clipped-line.ts";
import { Layout } from "./layout.ts";
import { SafeContainer } from "./safe-container.ts";
import { clipLine, Screen } from "./screen.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";
import { editorTheme } from "./theme.ts";

const fixed = (lines: readonly string[]): Component => ({ render: () => lines, invalidate() {} });

test("B196: a line of 81 columns of wide characters on 80 is clipped instead of ending the process", () => {
  const screen = new Screen();
  screen.addChild(fixed([`${"报错".repeat(20)}x`, "fits"]));
  const lines = screen.render(80);
  expect(lines.map(visibleWidth)).toEqual([79, 4]);
  expect(lines[0]).toContain("…");
});

test("B196: a clipped line is told once of each kind of view, wherever it stands; blanks at its end and narrow screens are not", async () => {
  class Wide implements Component {
    readonly render: () => string[];
    constructor(lines: readonly string[]) {
      this.render = () => [...lines];
    }
    invalidate() {}
  }
  class WideToo extends Wide {}
  const tui = new TuiMainScreen(createFakeTerminal());
  const layout = new Layout(tui, (_, text) => text);
  const told: ClippedLine[] = [];
  layout.onClipped((line) => told.push(line));
  const inner = new SafeContainer();
  const show = (...components: readonly Component[]) => {
    inner.clear();
    for (const component of components) inner.addChild(component);
    layout.show({
      above: [inner],
      editor: new Editor(
        tui,
        editorTheme((_, text) => text),
      ),
      below: [],
    });
  };
  const draw = async (width: number) => {
    for (const child of tui.children) child.render(width);
    await Promise.resolve();
    return told.splice(0);
  };
  show(new Wide([`${"报错".repeat(20)}x`, "fits"]), new Wide([`fits${" ".repeat(100)}`]));
  expect(await draw(39)).toEqual([]);
  expect(await draw(80)).toEqual([{ view: "Wide", columns: 81, screenColumns: 80 }]);
  show(new Wide(["y".repeat(90)]), new WideToo(["z".repeat(82)]));
  expect(await draw(80)).toEqual([{ view: "WideToo", columns: 82, screenColumns: 80 }]);
  expect(await draw(60)).toEqual([]);
  expect(clippedLineNotice({ view: "Wide", columns: 81, screenColumns: 80 })).toBe(
    "A line of Wide is 81 columns wide on a screen of 80; its end is not shown. This is a fault of Coppice: please report it.",
  );
});

test("B201: a container of 200,000 lines renders", () => {
  const screen = new Screen();
  screen.addChild(fixed(Array.from({ length: 200_000 }, (_, index) => `line ${index}`)));
  expect(screen.render(80)).toHaveLength(200_000);
});

test("an unchanged screen is the same array, a changed line is clipped anew, another width clips all", () => {
  const parts = ["a".repeat(10)];
  const screen = new Screen();
  const child: Component = { render: () => [...parts], invalidate() {} };
  screen.addChild(child);
  expect(screen.render(5)).toEqual([clipLine("a".repeat(10), 5)]);
  parts[0] = "b".repeat(10);
  expect(screen.render(5)).toEqual([clipLine("b".repeat(10), 5)]);
  expect(screen.render(20)).toEqual(["b".repeat(10)]);
  const still = new Screen();
  still.addChild(fixed(["x"]));
  expect(still.render(5)).toBe(still.render(5));
});

test("B199: no line is padded to the full width: the terminal may draw it wider than it was measured", () => {
  const screen = new Screen();
  screen.addChild(fixed(["👩\u200d👩\u200d👧   ", " \u001b[7m \u001b[27m  ", "    ", "a  b"]));
  expect(screen.render(8)).toEqual(["👩\u200d👩\u200d👧", " \u001b[7m \u001b[27m", "", "a  b"]);
});

test("B199: whatever the line, its clipped form fits", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom("🇨", "🇳", "👨‍👩‍👧", "e\u0301", "报", "a", "\u001b[31m") }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (line, width) => {
      expect(visibleWidth(clipLine(line, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test("UI-03: a component that throws is one line that says so; the others stay", () => {
  const screen = new Screen();
  screen.addChild(fixed(["before"]));
  screen.addChild({
    render() {
      throw new Error("bad\u001b[2J width");
    },
    invalidate() {},
  });
  screen.addChild(fixed(["after"]));
  expect(screen.render(60)).toEqual(["before", "", "✗ This part cannot be shown: bad width", "after"]);
});
