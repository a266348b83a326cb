import type { AssistantContent } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { AssistantView } from "./assistant-view.ts";

const answer = (...content: readonly AssistantContent[]) => scriptedMessage({ content });
const text = (value: string): AssistantContent => ({ type: "text", text: value });

const viewOf = (showsThinking = false, hasColors = false) =>
  new AssistantView({ paint: createPaint(hasColors), showsThinking: () => showsThinking });

const shown = (view: AssistantView, width = 40) => view.render(width).map((line) => line.trimEnd());

test("text is markdown; what has not changed is the same array at the next frame", () => {
  const view = viewOf();
  view.update(answer(text("# Title\n\n- **one**\n- `two`")));
  expect(shown(view)).toEqual(["", "Title", "", "- one", "- two"]);
  expect(view.render(40)).toBe(view.render(40));
});

test("thinking is one line, and in full when asked for; tool calls are left to their cards", () => {
  const message = answer({ type: "thinking", thinking: "first\nsecond" }, text("Answer."), {
    type: "toolCall",
    id: "1",
    name: "read",
    arguments: {},
  });
  const [short, full] = [viewOf(), viewOf(true)];
  short.update(message);
  full.update(message);
  expect(shown(short)).toEqual(["", "∴ thinking (Ctrl+T shows it)", "", "Answer."]);
  expect(shown(full)).toEqual(["", "  first", "  second", "", "Answer."]);
});

test("UI-17: long thinking is drawn in parts that read as a whole, blank lines and indents included", () => {
  const lines = Array.from({ length: 400 }, (_, line) =>
    line % 7 < 2 ? "" : `${line % 3 ? "" : "  "}step ${line}`,
  );
  const view = viewOf(true);
  view.update(answer({ type: "thinking", thinking: "" }));
  const whole = lines.join("\n");
  for (let at = 0; at < whole.length; at += 90) {
    const thinking = whole.slice(0, at + 90);
    const delta = whole.slice(at, at + 90);
    view.grow(answer({ type: "thinking", thinking }), { type: "thinking_delta", contentIndex: 0, delta });
    view.advance();
  }
  expect(view.pieces(40).length).toBeGreaterThan(2);
  expect(shown(view)).toEqual([
    "",
    ...whole
      .trim()
      .split("\n")
      .map((line) => `  ${line}`.trimEnd()),
  ]);
});

test("a block that has not begun, and one without text, take no room", () => {
  const view = viewOf();
  view.update(answer(text(""), text("a")));
  expect(shown(view)).toEqual(["", "a"]);
  const sparse: AssistantContent[] = [];
  sparse[1] = text("b");
  view.update({ ...answer(), content: sparse });
  expect(shown(view)).toEqual(["", "b"]);
});

test("B199: a flag whose halves come in two deltas is whole in the end, and the width is right at every step", () => {
  const view = viewOf();
  for (const value of ["x 🇨", "x 🇨🇳", "x 🇨🇳 y"]) {
    view.update(answer(text(value)));
    for (const line of view.render(20)) expect(visibleWidth(line)).toBeLessThanOrEqual(20);
  }
  expect(shown(view, 20)).toEqual(["", "x 🇨🇳 y"]);
});

test("B248, UI-16: whatever a model writes, only colours of our own reach the terminal, and every line fits", () => {
  const piece = fc.constantFrom(
    ...[
      "# ",
      "- ",
      "**",
      "`",
      "```\n",
      "|a|b|\n|-|-|\n",
      "> ",
      "[x](http://a\u001b]52;c;eA==\u0007)",
      "&#27;[2J",
    ],
    ...[
      "\u001b]52;c;ZWNobw==\u0007",
      "\u001b[2J",
      "\u009b31m",
      "\n",
      "text ",
      "报错",
      "<b>",
      "$x$",
      "1. ",
      "\\",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 8, max: 60 }), (pieces, width) => {
      const view = viewOf(false, true);
      view.update(answer(text(pieces.join(""))));
      for (const line of view.render(width)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what is left must be colours.
        expect(line.replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test("UI-17: what streams is shown by the next advance, so many characters of it; until then nothing is drawn anew", () => {
  const view = viewOf();
  view.update(answer(text("one ")));
  const before = view.pieces(40);
  view.grow(answer(text("one two three ")), { type: "text_delta", contentIndex: 0, delta: "two three " });
  expect(view.pieces(40)).toEqual(before);
  expect(view.pieces(40).every((piece, index) => piece === before[index])).toBe(true);
  expect(view.advance(4)).toBe(true);
  expect(shown(view)).toEqual(["", "one two"]);
  expect(view.advance(100)).toBe(false);
  expect(shown(view)).toEqual(["", "one two three"]);
});

test("UI-14, UI-17: whatever streams, is replaced or taken in by halves, the end looks as if it had come at once", () => {
  const words = fc
    .array(
      fc.constantFrom("word ", "\n\n", "- a\n", "**b** ", "\u001b[31m", "报", "  ", "\ud83c", "\udf33", "x"),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(""));
  const index = fc.nat({ max: 2 });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("grow" as const), index, words }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance" as const), most: fc.nat({ max: 30 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace" as const), index, words }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("unannounced" as const), index, words }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("shorten" as const) }) },
  );
  const contentOf = (texts: readonly string[]) =>
    texts.map(
      (value, place): AssistantContent => (place === 1 ? { type: "thinking", thinking: value } : text(value)),
    );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, showsThinking) => {
      const view = viewOf(showsThinking);
      let texts = ["", "", ""];
      view.update(answer(...contentOf(texts)));
      for (const one of steps) {
        if (one.kind === "shorten") texts = texts.slice(0, 1);
        else if (one.kind === "advance") view.advance(one.most);
        else if (one.index < texts.length)
          texts[one.index] = (one.kind === "grow" ? texts[one.index] : "") + one.words;
        const message = answer(...contentOf(texts));
        if (one.kind === "replace" || one.kind === "shorten") view.update(message);
        else if (one.kind !== "advance" && one.index < texts.length) {
          const type = one.index === 1 ? "thinking_delta" : "text_delta";
          view.grow(message, { type, contentIndex: one.index, delta: one.words });
        }
        view.render(30);
      }
      const atOnce = viewOf(showsThinking);
      for (const each of [view, atOnce]) {
        each.update(answer(...contentOf(texts)));
        each.finish();
      }
      expect(shown(view, 30)).toEqual(shown(atOnce, 30));
    }),
  );
});
