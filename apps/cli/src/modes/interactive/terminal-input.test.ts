import { parseKey, StdinBuffer, TuiMainScreen } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { actionOf } from "./keymap.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";
import { askTerminal } from "./theme/apply-theme.ts";
import { TERMINAL_THEME } from "./theme/themes.ts";

/** What terminals send: legacy, xterm's modifyOtherKeys and kitty's protocol, locks and keypad included. */
const KEYS = [
  ...[
    "a",
    "ж",
    "报",
    "\r",
    "\t",
    "\u007f",
    "\u0003",
    "\u000f",
    "\u001b[A",
    "\u001bOP",
    "\u001b[3~",
    "\u001b[1;3A",
  ],
  ...["\u001b[97u", "\u001b[97;65u", "\u001b[57441u", "\u001b[13;2u", "\u001b[27;2;13~", "\u001b[57414u"],
  ...["\u001b[200~a:b:c\nd\u001b[201~"],
];

function keysOf(pieces: readonly string[]): readonly string[] {
  const buffer = new StdinBuffer({ timeout: 10_000 });
  const keys: string[] = [];
  buffer.on("data", (key: string) => keys.push(key));
  buffer.on("paste", (text: string) => keys.push(`paste:${text}`));
  for (const piece of pieces) buffer.process(piece);
  const rest = buffer.flush();
  buffer.destroy();
  return [...keys, ...rest];
}

test("UI-06, B205: the same bytes are the same keys, however they are cut into pieces", {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (keys, cuts) => {
        const bytes = keys.join("");
        const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => bytes.slice(from, places[index] ?? bytes.length));
        expect(keysOf(pieces.filter((piece) => piece !== ""))).toEqual(keysOf([bytes]));
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ["\u001b", "app.interrupt"],
  ["\u001b[27u", "app.interrupt"],
  ["\u001b[27;129u", "app.interrupt"],
  ["\u000f", "app.expand"],
  ["\u001b[111;5u", "app.expand"],
  ["\u001b[111;133u", "app.expand"],
  ["\u001b\r", "app.followUp"],
  ["\u001b[13;3u", "app.followUp"],
  ["\u001b[27;3;13~", "app.followUp"],
  ["o", undefined],
])("UI-06: %j means %s, with Num Lock and in every protocol", (data, action) => {
  expect(actionOf(data)).toBe(action);
});

test("B204, UI-07: while the terminal owes a reply, Escape and letters reach their listener, and the reply does not", async () => {
  let input: (data: string) => void = () => {};
  const terminal = {
    ...createFakeTerminal(),
    start(onInput: typeof input) {
      input = onInput;
    },
  };
  const tui = new TuiMainScreen(terminal);
  const heard: string[] = [];
  tui.addInputListener((data) => {
    heard.push(parseKey(data) ?? data);
    return undefined;
  });
  tui.start();
  const theme = askTerminal(tui);
  input("\u001b");
  input("a");
  // White, then the reply that ends the question.
  input("\u001b]11;rgb:ffff/ffff/ffff\u001b\\");
  input("\u001b[?62;c");
  expect(await theme).not.toBe(TERMINAL_THEME);
  input("b");
  tui.stop();
  expect(heard).toEqual(["escape", "a", "b"]);
});

test("UI-07, UI-18: a terminal that never replies keeps its own colours", async () => {
  const tui = { queryTerminalColors: async () => ({}) };
  expect(await askTerminal(tui)).toBe(TERMINAL_THEME);
});
