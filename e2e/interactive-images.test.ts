import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { ask, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";

const SIDE_PIXELS = 90;
/** Of a terminal that does not say how large its cells are. */
const CELL = { width: 9, height: 18 };

/** A grey square as a PNG file. */
function greySquare(): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE_PIXELS, 0);
  head.writeUInt32BE(SIDE_PIXELS, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    ...[chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc((SIDE_PIXELS + 1) * SIDE_PIXELS)))],
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test.each([
  { name: "kitty", env: { KITTY_WINDOW_ID: "1" }, command: /_Ga=T[^;]*,c=(\d+),r=(\d+)/g },
  { name: "iTerm2", env: { TERM_PROGRAM: "iTerm.app" }, command: /\]1337;File=[^:]*width=(\d+)/g },
])(
  "UI-15: $name draws an image that was read, in rows that no text is in, again after a resize",
  {
    timeout: TIMEOUT_MS,
  },
  async ({ env, command }) => {
    await using playground = await createForeignPlayground();
    await using server = await createWireServer({
      answers: [
        { content: [scriptedToolCall("read", { path: "square.png" })] },
        { content: [scriptedText("A grey square.")] },
      ],
    });
    await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
    await writeFile(join(playground.project, "square.png"), greySquare());
    await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], env, rows: 40 });
    await ask(terminal, "what is in square.png?", "A grey square.");
    const placements = () => [...terminal.raw().matchAll(command)];
    expect(placements().length).toBeGreaterThan(0);
    const [, columns = "", rows] = placements().at(-1) ?? [];
    // As wide as it is, in cells; or one more, where that keeps its shape.
    expect(Math.abs(Number(columns) - SIDE_PIXELS / CELL.width)).toBeLessThanOrEqual(1);
    // The emulator knows no images: one of iTerm2 would move its cursor down, one of kitty moves nothing.
    if (rows !== undefined) {
      const lines = terminal.screen().split("\n");
      const at = lines.findIndex((line) => line.includes("[image: png, 90×90"));
      const free = lines.slice(at + 1, at + 1 + Number(rows));
      expect(free.map((line) => line.trim())).toEqual(Array(SIDE_PIXELS / CELL.height).fill(""));
    }

    const before = placements().length;
    terminal.resize(30, 40);
    await terminal.until("the image again", () => placements().length > before);
    expect(Number(placements().at(-1)?.[1])).toBeLessThanOrEqual(30);
    await quit(terminal);
    expect(server.rejections).toEqual([]);
  },
);
