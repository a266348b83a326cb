import type { AssistantMessage } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { Markdown } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnScreen } from "./own-screen.ts";
import { Screen } from "./screen.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";
import type { Paint } from "./theme.ts";
import { TranscriptView } from "./views/transcript-view.ts";

/** A large answer, as the fault kind has it. */
const CHARACTERS = 1_000_000;
const DELTA_CHARACTERS = 40;
const DELTAS_PER_FRAME = 40;

const ROUND = [
  "## What the mill does\n",
  "The river runs past the **old mill**, and `turn()` is called *once* per round; see [the log](./log.md).\n",
  "- first the wheel\n- then the stone\n  - and the flour\n",
  "```html\n<div>\n  <pre>[a]: b</pre>\n</div>\n```\n",
  "| part | rounds |\n|---|---|\n| wheel | 12 |\n| stone | 3 |\n",
  "A line that <b>stands</b> alone, with $x$ and 水車.\n",
].join("\n");

interface Work {
  /** Characters that the markdown parser was given. */
  parsed: number;
  /** Views of markdown that were asked for their lines. */
  asked: number;
  painted: number;
  /** Lines that the renderer of the terminal looked at. */
  compared: number;
  /** Pieces of the screen that were gone through. */
  pieces: number;
}

let work: Work;
const nothing = (): Work => ({ parsed: 0, asked: 0, painted: 0, compared: 0, pieces: 0 });

class WatchedScreen extends OwnScreen {
  override render(): readonly string[] {
    const lines = super.render();
    work.compared += lines.length;
    return lines;
  }
}

beforeEach(() => {
  work = nothing();
  const { setText, render } = Markdown.prototype;
  vi.spyOn(Markdown.prototype, "setText").mockImplementation(function (this: Markdown, text) {
    work.parsed += text.length;
    setText.call(this, text);
  });
  vi.spyOn(Markdown.prototype, "render").mockImplementation(function (this: Markdown, width) {
    work.asked += 1;
    return render.call(this, width);
  });
});
afterEach(() => vi.restoreAllMocks());

const paint: Paint = (_, text) => {
  work.painted += text.length;
  return text;
};

function openTranscript() {
  const transcript = new TranscriptView(paint);
  const screen = new Screen();
  screen.addChild(transcript);
  const tui = new WatchedScreen(createFakeTerminal(100, 30));
  tui.addChild(screen);
  return { transcript, tui };
}

/** An answer of one text that comes in pieces. */
function beginAnswer(transcript: TranscriptView) {
  let message: AssistantMessage = scriptedMessage({ content: [{ type: "text", text: "" }] });
  let built = "";
  transcript.handle({ type: "message_start", message });
  return {
    get message() {
      return message;
    },
    add(delta: string) {
      built += delta;
      message = { ...message, content: [{ type: "text", text: built }] };
      const event = { type: "text_delta", contentIndex: 0, delta } as const;
      transcript.handle({ type: "message_update", message, event });
    },
  };
}

/** Streams a text, and tells what each frame cost. */
function stream(text: string): { readonly frames: readonly Work[]; readonly fullRedraws: number } {
  const { transcript, tui } = openTranscript();
  const frames: Work[] = [];
  const answer = beginAnswer(transcript);
  for (let at = 0, count = 1; at < text.length; at += DELTA_CHARACTERS, count++) {
    answer.add(text.slice(at, at + DELTA_CHARACTERS));
    if (count % DELTAS_PER_FRAME !== 0) continue;
    work = nothing();
    transcript.advance();
    tui.renderNow();
    frames.push({ ...work, pieces: transcript.pieces(100).length });
  }
  transcript.handle({ type: "message_end", message: answer.message });
  tui.renderNow();
  return { frames, fullRedraws: tui.fullRedraws };
}

const most = (frames: readonly Work[], what: keyof Work) => Math.max(...frames.map((frame) => frame[what]));

test.each([
  { name: "paragraphs, lists, tables and code", text: ROUND.repeat(CHARACTERS / ROUND.length) },
  { name: "one list", text: "- first **the wheel** and `then` some more words\n".repeat(CHARACTERS / 49) },
  {
    name: "one block of code",
    text: `Here it is.\n\n\`\`\`ts\n${"  return wheel.spokes * 2; // one round\n\n".repeat(CHARACTERS / 41)}`,
  },
])("UI-17: a frame of a streamed answer of 1 MB costs what came since the last one: $name", ({ text }) => {
  const { frames, fullRedraws } = stream(text);
  expect(frames.length).toBeGreaterThan(600);
  const after = frames.slice(20);
  // What came, the open part before it, and once the code that is long enough to be coloured.
  expect(most(after, "parsed")).toBeLessThan(20_000);
  expect(most(after.slice(20), "parsed")).toBeLessThan(8_000);
  expect(most(after.slice(20), "asked")).toBeLessThan(12);
  expect(most(after.slice(20), "painted")).toBeLessThan(8_000);
  expect(most(after, "compared")).toBeLessThan(400);
  expect(most(after, "pieces")).toBeLessThan(400);
  expect(fullRedraws).toBe(1);
});

test("UI-17: a call that writes 1 MB is not drawn again while its text streams", () => {
  const { transcript, tui } = openTranscript();
  const call = { type: "toolCall", id: "c1", name: "write", arguments: {} } as const;
  const message = scriptedMessage({ content: [call], stopReason: "toolUse" });
  const start = { type: "toolcall_start", contentIndex: 0, id: "c1", name: "write" } as const;
  transcript.handle({ type: "message_start", message: scriptedMessage({ content: [] }) });
  transcript.handle({ type: "message_update", message, event: start });
  tui.renderNow();
  const [piece] = transcript.pieces(100);
  work = nothing();
  const delta = "x".repeat(DELTA_CHARACTERS);
  const event = { type: "toolcall_delta", contentIndex: 0, delta } as const;
  for (let count = 0; count < CHARACTERS / DELTA_CHARACTERS; count++) {
    transcript.handle({ type: "message_update", message, event });
    if (count % DELTAS_PER_FRAME !== 0) continue;
    transcript.advance();
    tui.renderNow();
  }
  expect(work).toMatchObject({ parsed: 0, asked: 0, painted: 0 });
  expect(transcript.pieces(100)[0]).toBe(piece);
  const args = { path: "mill.txt", content: delta.repeat(CHARACTERS / DELTA_CHARACTERS) };
  const end = { type: "toolcall_end", contentIndex: 0, block: { ...call, arguments: args } } as const;
  transcript.handle({ type: "message_update", message: { ...message, content: [end.block] }, event: end });
  tui.renderNow();
  expect(work.painted).toBeLessThan(1_000);
});

test("UI-17: the end of a streamed answer of 1 MB takes no more processor time than its beginning", () => {
  vi.restoreAllMocks();
  const quarter = ROUND.repeat(CHARACTERS / 4 / ROUND.length);
  const { transcript, tui } = openTranscript();
  const answer = beginAnswer(transcript);
  const spentMs = Array.from({ length: 4 }, () => {
    const start = process.cpuUsage();
    for (let at = 0; at < quarter.length; at += DELTA_CHARACTERS * DELTAS_PER_FRAME) {
      answer.add(quarter.slice(at, at + DELTA_CHARACTERS * DELTAS_PER_FRAME));
      transcript.advance();
      tui.renderNow();
    }
    return process.cpuUsage(start).user / 1000;
  });
  const [first = 0, , , last = 0] = spentMs;
  // Wide: the first quarter also warms up, and the collector comes when it likes.
  expect(last).toBeLessThan(3 * first + 500);
});
