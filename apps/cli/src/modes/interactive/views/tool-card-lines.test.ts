import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { type ToolCardState, toolCardLines } from "./tool-card-lines.ts";

const lookOf = (hasColors: boolean) => ({
  paint: createPaint(hasColors),
  highlight: (code: string) => code.split("\n"),
});
const plain = lookOf(false);

const card = (change: Partial<ToolCardState>): ToolCardState => ({
  toolName: "bash",
  args: { command: "npm test" },
  status: "ok",
  output: "",
  details: undefined,
  durationMs: undefined,
  isExpanded: false,
  ...change,
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a card says what was called and how it went, at each step of its way", () => {
  const head = (change: Partial<ToolCardState>) => toolCardLines(card(change), 80, plain)[1];
  expect(head({ status: "preparing", args: {} })).toBe("○ bash (preparing)");
  expect(head({ status: "waiting" })).toBe("● bash npm test (waiting for you)");
  expect(head({ status: "running" })).toBe("● bash npm test (running)");
  expect(head({ details: { exitCode: 0 }, durationMs: 1_234 })).toBe("✓ bash npm test (exit 0, 1.2 s)");
  expect(head({ status: "failed", details: { exitCode: 2 }, durationMs: 9 })).toBe(
    "✗ bash npm test (exit 2, 9 ms)",
  );
  expect(head({ status: "failed", toolName: "read", args: { path: "a.ts" } })).toBe("✗ read a.ts (error)");
  expect(head({ status: "dropped" })).toBe("– bash npm test (not run)");
  expect(head({ status: "unknown" })).toBe("? bash npm test (interrupted, outcome unknown)");
});

test("a command shows the end of its output, other tools the beginning, a read none; expanded: all", () => {
  expect(toolCardLines(card({ output: numbered(9) }), 40, plain)).toEqual([
    "",
    "✓ bash npm test (ok)",
    "  … +3 lines (Ctrl+O)",
    ...["  line 4", "  line 5", "  line 6", "  line 7", "  line 8", "  line 9"],
  ]);
  const grep = card({ toolName: "grep", args: { pattern: "x" }, output: numbered(5) });
  expect(toolCardLines(grep, 40, plain)).toEqual([
    "",
    "✓ grep x (ok)",
    ...["  line 1", "  line 2", "  line 3", "  line 4"],
    "  … +1 line (Ctrl+O)",
  ]);
  const read = card({ toolName: "read", args: { path: "a.ts" }, output: numbered(3) });
  expect(toolCardLines(read, 40, plain)).toEqual(["", "✓ read a.ts (ok)", "  … 3 lines (Ctrl+O)"]);
  expect(toolCardLines({ ...read, isExpanded: true }, 40, plain)).toEqual([
    "",
    "✓ read a.ts (ok)",
    ...["  line 1", "  line 2", "  line 3"],
  ]);
});

test("an edit shows its diff, added and removed lines in colour", () => {
  const edit = card({
    toolName: "edit",
    args: { path: "a.ts" },
    output: "Edited a.ts",
    details: { diff: " 1 same\n-2 old\n+2 new\n", patch: "…" },
  });
  expect(toolCardLines(edit, 40, plain)).toEqual([
    "",
    "✓ edit a.ts (ok)",
    "   1 same",
    "  -2 old",
    "  +2 new",
  ]);
  const painted = toolCardLines(edit, 40, lookOf(true)).join("\n");
  expect(painted).toContain("\u001b[31m-2 old\u001b[39m");
  expect(painted).toContain("\u001b[32m+2 new\u001b[39m");
});

test("B248: output that would drive the terminal is shown without its sequences", () => {
  const hostile = card({ output: "a\u001b]52;c;ZWNobw==\u0007b", args: { command: "x\u001b[2Jy" } });
  expect(toolCardLines(hostile, 40, plain)).toEqual(["", "✓ bash xy (ok)", "  ab"]);
});

test("B196: every line of a card fits, whatever it holds", () => {
  const state = fc.record({
    toolName: fc.string({ unit: "grapheme" }),
    args: fc.record({ command: fc.string({ unit: "grapheme" }) }),
    status: fc.constantFrom("preparing", "running", "ok", "failed", "dropped"),
    output: fc.string({
      unit: fc.constantFrom("报", "a", "\n", "\t", "🇨", "👨‍👩‍👧", "\u001b", "[", "m"),
      maxLength: 200,
    }),
    details: fc.constantFrom(undefined, null, { exitCode: 1 }, { diff: "+1 报错\n-1 x\n" }),
    durationMs: fc.option(fc.nat(), { nil: undefined }),
    isExpanded: fc.boolean(),
  });
  fc.assert(
    fc.property(state, fc.integer({ min: 4, max: 60 }), (value, width) => {
      for (const line of toolCardLines(value as ToolCardState, width, plain)) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test("UI-02: an opened card shows a word that is longer than the line without a blank line before it", () => {
  const state = card({ output: "  abcdefghij\n\nword abcdefghij", isExpanded: true });
  for (const look of [plain, lookOf(true)]) {
    const lines = toolCardLines(state, 6, look).map((line) => stripVTControlCharacters(line).trimEnd());
    expect(lines.slice(2)).toEqual(["abcdef", "ghij", "", "  word", "abcdef", "ghij"]);
  }
});
