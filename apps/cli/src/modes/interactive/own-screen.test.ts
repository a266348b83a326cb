import { CURSOR_MARKER, deleteKittyImage, TuiMainScreen } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OwnScreen } from "./own-screen.ts";
import type { Pieced, Pieces } from "./pieces.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";

const [COLUMNS, ROWS] = [40, 8];

/** Parts of a screen that change one by one; all lines of a part that has not changed are one and the same piece. */
function createParts() {
  const parts: (readonly string[])[] = [];
  const component: Pieced = {
    pieces: (): Pieces => [...parts, ["─", `› ${CURSOR_MARKER}`, "footer"]],
    render: () => component.pieces(COLUMNS).flat(),
    invalidate() {},
  };
  return { parts, component };
}

const lines: fc.Arbitrary<readonly string[]> = fc.array(
  fc.constantFrom("", "a", "b", "报错", "\u001b[31mred"),
  { maxLength: 60 },
);
/** Counted from the last part. */
const place = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, fc.nat({ max: 40 }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), lines }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("replaceLast" as const), lines }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("replace" as const), lines, place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("split" as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("removeFrom" as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("force" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("resize" as const), rows: fc.integer({ min: 3, max: 12 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function apply(one: Step, parts: (readonly string[])[]): void {
  const last = parts.length - 1;
  const index = Math.max(0, "place" in one ? last - (one.place % Math.max(1, parts.length)) : last);
  if (one.kind === "add") parts.push(one.lines);
  else if (one.kind === "replaceLast" || one.kind === "replace") parts[index] = one.lines;
  else if (one.kind === "removeFrom") parts.length = index;
  else if (one.kind === "split") {
    const part = parts[index] ?? [];
    parts.splice(index, 1, part.slice(0, part.length / 2), part.slice(part.length / 2));
  }
}

test("UI-04, UI-17: what is drawn is byte for byte what the renderer draws that reads every line", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const { parts, component } = createParts();
      const terminals = [createFakeTerminal(COLUMNS, ROWS), createFakeTerminal(COLUMNS, ROWS)] as const;
      const screens = [new OwnScreen(terminals[0]), new TuiMainScreen(terminals[1])];
      for (const screen of screens) screen.addChild(component);
      const begun: Step[] = Array.from({ length: 12 }, (_, part) => ({
        kind: "add",
        lines: Array.from({ length: 20 }, (_, line) => `${part}.${line}`),
      }));
      for (const one of [...begun, ...steps]) {
        apply(one, parts);
        if (one.kind === "resize") for (const terminal of terminals) terminal.resize(COLUMNS, one.rows);
        for (const screen of screens) screen.renderNow(one.kind === "force");
        expect(terminals[0].written()).toBe(terminals[1].written());
      }
    }),
  );
});

test("UI-17: however long the conversation is, the renderer reads what is in sight and little more", () => {
  const { parts, component } = createParts();
  const reads: number[] = [];
  class Watched extends OwnScreen {
    override render(): readonly string[] {
      const given = super.render();
      reads.push(given.length);
      return given;
    }
  }
  const screen = new Watched(createFakeTerminal(COLUMNS, ROWS));
  screen.addChild(component);
  for (let part = 0; part < 3_000; part++) {
    parts.push(Array.from({ length: 10 }, (_, line) => `part ${part}, line ${line}`));
    screen.renderNow();
  }
  expect(reads).toHaveLength(3_000);
  expect(Math.max(...reads)).toBeLessThan(150);
  expect(screen.fullRedraws).toBe(1);
});

test("UI-15: as long as an image is in sight, the renderer below has all lines and knows it", () => {
  const image = ["\u001b_Ga=T,f=100,i=7,r=3;AAAA\u001b\\", "", ""];
  const { parts, component } = createParts();
  const terminals = [createFakeTerminal(COLUMNS, ROWS), createFakeTerminal(COLUMNS, ROWS)] as const;
  const screens = [new OwnScreen(terminals[0]), new TuiMainScreen(terminals[1])];
  for (const screen of screens) screen.addChild(component);
  const show = (...added: (readonly string[])[]) => {
    parts.push(...added);
    for (const screen of screens) screen.renderNow();
    const [ours = "", theirs = ""] = terminals.map((terminal) => terminal.written());
    expect(ours.replaceAll(deletion, "")).toBe(theirs.replaceAll(deletion, ""));
    expect(ours.split(deletion).length).toBe(theirs.split(deletion).length);
  };
  // It comes before the frame instead of within it.
  const deletion = deleteKittyImage(7);
  const many = (name: string) => Array.from({ length: 150 }, (_, line) => `${name} ${line}`);
  show(many("first"));
  show(image);
  show(["below"]);
  show(many("second"));
  show(many("third"));
  show(["last"]);
  // Higher than the screen.
  show(["\u001b_Ga=T,f=100,i=8,r=12;AAAA\u001b\\", ...Array.from({ length: 11 }, () => "")]);
});

test("on leaving, nothing of what is shown is written over, and the cursor stands below it", () => {
  const terminal = createFakeTerminal();
  const screen = new OwnScreen(terminal);
  screen.start();
  screen.addChild({ render: () => ["first", "Interrupted."], invalidate() {} });
  screen.renderNow();
  const shown = terminal.written();
  screen.stop();
  expect(terminal.written().slice(shown.length)).toBe("\r\n");
});
