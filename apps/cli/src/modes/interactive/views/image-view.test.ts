import { stripVTControlCharacters } from "node:util";
import { setCapabilities, visibleWidth } from "@earendil-works/pi-tui";
import { afterEach, expect, test } from "vitest";
import { Screen } from "../screen.ts";
import { createPaint } from "../theme.ts";
import { ImageView } from "./image-view.ts";
import { TranscriptView } from "./transcript-view.ts";

const paint = createPaint(false);
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const LINE = "[image: png, 1×1, 70 bytes]";

function terminalWith(images: "kitty" | "iterm2" | null): void {
  setCapabilities({ images, trueColor: false, hyperlinks: false });
}

afterEach(() => terminalWith(null));

/** A PNG's head with another size in it; nothing here looks further. */
function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PIXEL, "base64");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

const view = (data: string, mimeType = "image/png") =>
  new ImageView({ type: "image", data, mimeType }, paint);

test("UI-15, UI-18: where nothing is known to draw images, an image is a line with type, size and dimensions", () => {
  terminalWith(null);
  expect(view(PIXEL).render(80)).toEqual([LINE]);
  expect(view(pngOf(640, 480)).render(80)).toEqual(["[image: png, 640×480, 70 bytes]"]);
  expect(view(PIXEL).render(12).map(stripVTControlCharacters)).toEqual(["[image: png…"]);
});

test.each(["kitty", "iterm2"] as const)(
  "UI-15: %s draws an image below its line, in rows of its own, and within bounds at any width and size",
  (images) => {
    terminalWith(images);
    for (const [width, height] of [
      [1, 1],
      [640, 480],
      [10, 100_000],
      [100_000, 10],
      [4_000_000_000, 4_000_000_000],
    ] as const) {
      const one = view(pngOf(width, height));
      for (const columns of [80, 200, 10, 3, 1]) {
        const [line, ...rows] = one.render(columns);
        expect(visibleWidth(line ?? "")).toBeLessThanOrEqual(columns);
        const drawn = rows.filter((row) => row !== "");
        expect(drawn).toHaveLength(1);
        expect(rows.length).toBeLessThanOrEqual(16);
        const [, cells] = /(?:\bc|width)=(\d+)/.exec(drawn[0] ?? "") ?? [];
        expect(Number(cells)).toBeLessThanOrEqual(Math.max(1, Math.min(60, columns - 2)));
      }
    }
  },
);

test("UI-15: what the terminal cannot show, is damaged, or is no base64 is a line, and never reaches the terminal", () => {
  terminalWith("kitty");
  const hostile = `${PIXEL}\u001b\\\u001b]52;c;ZWNobw==\u0007`;
  const gif = Buffer.from("GIF89a\u0002\u0000\u0003\u0000").toString("base64");
  expect(view(gif, "image/gif").render(80)).toEqual(["[image: gif, 2×3, 10 bytes]"]);
  expect(view("AAAA").render(80)).toEqual(["[image: png, 3 bytes]"]);
  expect(view(hostile).render(80)).toHaveLength(1);
  expect(view(PIXEL, "constructor").render(80)).toEqual(["[image: constructor, 70 bytes]"]);
  expect(view(PIXEL, "image/x\u001b[2J").render(80).join("")).not.toContain("\u001b");
  expect(view(PIXEL + "A".repeat(5_000_000)).render(80)).toHaveLength(1);
  expect(view(`${"=".repeat(4_000_000)}A`).render(80)).toEqual(["[image: png, 2.9 MB]"]);
  terminalWith("iterm2");
  expect(view(gif, "image/gif").render(80).length).toBeGreaterThan(1);
});

test("UI-15: two images have ids of their own; the screen leaves their lines whole at any width", () => {
  terminalWith("kitty");
  const screen = new Screen();
  screen.addChild(view(pngOf(640, 480)));
  screen.addChild(view(pngOf(640, 480)));
  const ids = (width: number) =>
    screen
      .render(width)
      .filter((line) => line.startsWith("\u001b_G") && line.endsWith("\u001b\\"))
      .map((line) => /,i=(\d+)[,;]/.exec(line)?.[1]);
  expect(new Set(ids(80)).size).toBe(2);
  expect(ids(20)).toEqual(ids(80));
});

test("a conversation shows images of prompts and of results; of a long one that is shown again the latest are drawn", () => {
  terminalWith("kitty");
  const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
  const transcript = new TranscriptView(paint);
  const drawn = () => transcript.render(80).filter((line) => line.includes("\u001b_G")).length;
  const lines = () => transcript.render(80).filter((line) => line === LINE).length;
  transcript.reset([
    ...Array.from({ length: 9 }, (_, at) => ({
      ...{ role: "user" as const, timestamp: at, content: [{ type: "text" as const, text: "look" }, image] },
    })),
    {
      ...{ role: "toolResult" as const, toolCallId: "1", toolName: "read", timestamp: 10, isError: false },
      content: [{ type: "text", text: "a picture" }, image],
    },
  ]);
  expect([lines(), drawn()]).toEqual([10, 8]);
  transcript.handle({
    ...{ type: "message_end", message: { role: "user", timestamp: 11, content: [image] } },
  });
  expect([lines(), drawn()]).toEqual([11, 9]);
});

test("after a session with several results for one call is shown again, a new image is drawn", () => {
  terminalWith("kitty");
  const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
  const transcript = new TranscriptView(paint);
  const drawn = () => transcript.render(80).filter((line) => line.includes("\u001b_G")).length;
  transcript.reset(
    Array.from({ length: 20 }, (_, at) => ({
      ...{ role: "toolResult" as const, toolCallId: "1", toolName: "read", timestamp: at, isError: false },
      content: [image],
    })),
  );
  expect(drawn()).toBe(1);
  transcript.handle({ type: "message_end", message: { role: "user", timestamp: 21, content: [image] } });
  expect(drawn()).toBe(2);
});
