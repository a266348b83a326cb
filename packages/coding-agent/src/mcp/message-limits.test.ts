import fc from "fast-check";
import { expect, test } from "vitest";
import { limitedFetch } from "./limited-fetch.ts";
import { MessageLines } from "./message-lines.ts";

function linesOf(chunks: readonly Uint8Array[], maxBytes = 1000): readonly string[] {
  const lines: string[] = [];
  const reader = new MessageLines({ maxBytes, onLine: (line) => lines.push(line) });
  for (const chunk of chunks) reader.push(chunk);
  return lines;
}

test("any cut of the bytes gives the same lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 20 })),
      fc.integer({ min: 1, max: 7 }),
      (texts, size) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
        const cuts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(linesOf(cuts)).toEqual(linesOf([bytes]));
      },
    ),
  );
});

test("empty lines are left out, and carriage returns do not count", () => {
  expect(linesOf([Buffer.from("a\r\n\r\n\nb\n c")])).toEqual(["a", "b"]);
});

test("MC-04: a line that is too long is an error at its limit, whatever the chunks", () => {
  const reader = new MessageLines({ maxBytes: 10, onLine: () => {} });
  reader.push(Buffer.from("1234567890\n12345"));
  reader.push(Buffer.from("67890"));
  expect(() => reader.push(Buffer.from("x"))).toThrow("more than 10 bytes");
});

function answering(type: string, chunks: readonly string[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const response = new Response(body, { status: 201, headers: { "content-type": type, "x-own": "1" } });
  return limitedFetch(async () => response, { maxMessageBytes: 10, onExceeded: () => {} })(
    "http://localhost/",
  );
}

test("MC-04: over HTTP a body has the same limit", async () => {
  const fine = await answering("application/json", ["12345", "67890"]);
  expect([await fine.text(), fine.status, fine.headers.get("x-own")]).toEqual(["1234567890", 201, "1"]);
  await expect((await answering("application/json", ["12345", "678901"])).text()).rejects.toThrow(
    "more than 10 bytes",
  );
});

test("MC-04: in a stream of events each event has it, not the stream", async () => {
  const events = ["data: a\n\n", "data: b\r\n", "\r\ndata: c\n\n"];
  expect(await (await answering("text/event-stream", events)).text()).toBe(events.join(""));
  await expect((await answering("text/event-stream", ["data: a\n", "data: b\n\n"])).text()).rejects.toThrow(
    "more than 10 bytes",
  );
});
