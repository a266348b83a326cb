import type { PermissionRequest } from "@coppice/coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { permissionChoices, permissionText } from "./permission-lines.ts";

const paint = createPaint(false);
const TALL = { columns: 70, rows: 400 };

const request = (input: PermissionRequest["input"], tool = "bash"): PermissionRequest => ({
  ...{ toolCallId: "1", tool, input, paths: [], reason: "No rule allows it.", suggestedRule: undefined },
});
const rows = (input: PermissionRequest["input"], size = TALL) =>
  permissionText(request(input), size, paint).lines.slice(1, -2);

test("B248, UI-09: a call's text is whole and inert; what cannot be seen is spelled out", () => {
  const command = "echo safe\n\u001b]52;c;ZWNobw==\u0007\u202erm -rf /\u200b";
  const { lines, isCut } = permissionText(request({ command }, "ba\u001b[2Jsh"), TALL, paint);
  expect(lines).toEqual([
    "? bash wants to run",
    "  $ echo safe",
    "    ␛]52;c;ZWNobw==␇‹U+202E›rm -rf /‹U+200B›",
    "No rule allows it.",
    "",
  ]);
  expect(isCut).toBe(false);
});

test("UI-09: the middle and the end of a long command are there, and so is the end of a long line", () => {
  const many = Array.from({ length: 150 }, (_, at) => `line ${at}`);
  expect(rows({ command: many.join("\n") })).toEqual(
    many.map((line, at) => (at === 0 ? `  $ ${line}` : `    ${line}`)),
  );
  const line = rows({ command: `${"a ".repeat(1_000)}; rm -rf ~` });
  expect(line.at(-1)).toMatch(/^ {2}a .*; rm -rf ~$/);
});

test("UI-09: blanks within a line stay, and no row of a long line can pass for one of the question", () => {
  expect(rows({ command: "grep '  x'\n\tindented" })).toEqual(["  $ grep '  x'", "       indented"]);
  for (const row of rows({ command: "→ Yes, this once ".repeat(50) })) expect(row).toMatch(/^ {2}/);
});

test("an edit reads as the lines that go and the lines that come", () => {
  const edits = [
    { oldText: "a\n  b", newText: "a\n  c" },
    { oldText: "gone", newText: "" },
  ];
  expect(rows({ path: "src/x.ts", edits })).toEqual([
    ...["  path: src/x.ts", "  edit 1 of 2:", "    - a", "    -   b", "    + a", "    +   c"],
    ...["  edit 2 of 2:", "    - gone"],
  ]);
  expect(rows({ path: "x", oldText: "a", newText: "b" })).toEqual(["  path: x", "    - a", "    + b"]);
  // Anything unexpected is shown as it is.
  expect(rows({ edits: [{ oldText: "a", newText: "b", also: 1 }] })).toEqual([
    '  edits: [{"oldText":"a","newText":"b","also":1}]',
  ]);
});

test("a property: whatever is not cut is there to its last character, and whatever is cut says so", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(
      words,
      fc.constantFrom("\n", " "),
      fc.integer({ min: 5, max: 60 }),
      (list, between, height) => {
        const command = list.join(between);
        const { lines, isCut, whole } = permissionText(
          request({ command }),
          { columns: 30, rows: height },
          paint,
        );
        const shown = lines.slice(1, -2).join(" ").replace(/\s+/g, " ").trim();
        const all = `$ ${list.join(" ")}`;
        expect(whole.replace(/\s+/g, " ").trim()).toBe(all);
        expect(isCut).toBe(shown !== all);
        expect(lines.length).toBeLessThanOrEqual(Math.max(6, height - 17) + 4);
      },
    ),
  );
});

test("UI-09: however tall the screen, more than 200 rows or 16,000 characters are looked through instead", () => {
  const isCut = (command: string) =>
    permissionText(request({ command }), { columns: 200, rows: 999 }, paint).isCut;
  expect([isCut("x\n".repeat(199)), isCut("x\n".repeat(200))]).toEqual([false, true]);
  expect([isCut("x".repeat(15_998)), isCut("x".repeat(15_999))]).toEqual([false, true]);
});

test("the first choice is never a yes while something is not shown", () => {
  expect(permissionChoices(undefined, true).map(({ value }) => value)).toEqual([
    "show",
    "once",
    "deny",
    "reason",
  ]);
  expect(permissionChoices(undefined, false)[0]?.value).toBe("once");
});
