import { stripVTControlCharacters } from "node:util";
import { scriptedMessage } from "@coppice/ai/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Highlighter } from "../highlight/highlighter.ts";
import { OwnScreen } from "../own-screen.ts";
import { Screen } from "../screen.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { hostileText } from "../testing/hostile-text.ts";
import { isNeutralAtEnd } from "../testing/neutral-end.ts";
import { createPaint, type Paint } from "../theme.ts";
import { type NoticeLevel, TranscriptView } from "./transcript-view.ts";

/** Texts with what markdown, links and tool output are made of, between words that wrap. */
const text = fc
  .array(
    fc.oneof(
      hostileText,
      fc.constantFrom(
        ...[
          "some words to wrap ",
          "\n",
          "\n\n",
          "**bold and long ",
          "**",
          "*",
          "`code` ",
          "# Head\n",
          "> quote\n",
        ],
        ...[
          "- item\n",
          "[a link](https://example.org/a/long/path) ",
          "~~gone~~ ",
          "| a | b |\n|---|---|\n| c | d |\n",
        ],
        ...[
          "```ts\nconst a = 1;\n```\n",
          "\u001b]8;;https://example.org\u0007hidden\u001b]8;;\u0007 ",
          "\u001b[1;4m",
        ],
        ...["+ added\n", "- removed\n", "verylongwordwithoutanyblankatall"],
      ),
    ),
    { maxLength: 16 },
  )
  .map((pieces) => pieces.join(""));

const level = fc.constantFrom<NoticeLevel>("info", "warning", "error");

/** How a view of this kind is put on the screen. */
type Show = (
  view: TranscriptView,
  text: string,
  rest: { readonly level: NoticeLevel; readonly isOk: boolean },
) => void;

const SHOWN: Readonly<Record<string, Show>> = {
  "an answer": (view, content) => {
    view.handle({
      type: "message_end",
      message: scriptedMessage({ content: [{ type: "text", text: content }] }),
    });
  },
  "a prompt": (view, content) => {
    view.handle({ type: "message_end", message: { role: "user", content, timestamp: 0 } });
  },
  "a summary": (view, summary) => {
    view.handle({
      type: "message_end",
      message: { role: "branchSummary", summary, fromId: "e1", timestamp: 0 },
    });
  },
  "a notice": (view, content, rest) => view.notice(content, rest.level),
  "a tool card": (view, content, { isOk }) => {
    const named = { toolCallId: "c1", toolName: isOk ? "edit" : "bash" };
    view.handle({ type: "tool_execution_start", ...named, args: { command: content, path: "a.ts" } });
    view.handle({
      ...{ type: "tool_execution_end", ...named, isError: !isOk, durationMs: 1 },
      result: { content: [{ type: "text", text: content }], details: isOk ? { diff: content } : {} },
    });
  },
};

/** The lines on the screen; a line's blanks at its end show nothing. */
function drawn(paint: Paint, act: (view: TranscriptView) => void, width: number, isExpanded: boolean) {
  const view = new TranscriptView(
    paint,
    new Highlighter({ paint, load: () => new Promise(() => {}), onLoad: () => {} }),
  );
  if (isExpanded) view.toggleExpanded();
  act(view);
  const screen = new Screen();
  screen.addChild(view);
  return screen.render(width);
}

/** Ends lines as they are ended on their way to the terminal. */
class EndedLines extends OwnScreen {
  of(lines: readonly string[]): readonly string[] {
    return this.applyLineResets([...lines]);
  }
}
const ended = new EndedLines(createFakeTerminal());

/** Markdown draws a bare line between a style and a word that is longer than the line. */
const BARE = /^[│\s]*$/;

describe.each(Object.entries(SHOWN))("%s", (name, show) => {
  const isLeftOut = (line: string) => name === "an answer" && BARE.test(line);

  test("UI-02: reads the same with styles and without, and no style or link goes on at the end of a line", () => {
    fc.assert(
      fc.property(
        ...([text, level, fc.boolean(), fc.boolean(), fc.integer({ min: 3, max: 100 })] as const),
        (content, ofLevel, isOk, isExpanded, width) => {
          const act = (view: TranscriptView) => show(view, content, { level: ofLevel, isOk });
          const styled = drawn(createPaint(true), act, width, isExpanded);
          const plain = drawn(createPaint(false), act, width, isExpanded);
          const visible = (lines: readonly string[]) =>
            lines.map((line) => stripVTControlCharacters(line).trimEnd()).filter((line) => !isLeftOut(line));
          expect(visible(styled)).toEqual(visible(plain));
          for (const line of ended.of(styled)) {
            expect(isNeutralAtEnd(line)).toBe(true);
            // No text is a link of the terminal; the reset closes one all the same.
            expect(line.replaceAll("\u001b]8;;\u0007", "")).not.toContain("\u001b]");
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
