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
