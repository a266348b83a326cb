import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TARGET } from "../../test/arbitrary-history.ts";
import type { ChatRequest } from "../request.ts";
import { HttpCall } from "./http-call.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body that the test writes to; it knows nothing of any signal. */
function controlled() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
  });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
  };
}

async function opened(patch: Partial<ChatRequest> = {}) {
  const source = controlled();
  const request: ChatRequest = { model: TARGET, messages: [], ...patch };
  const call = new HttpCall({ request, fetch: async () => source.response, headers: {} });
  const response = await call.fetch("http://h.test/v1");
  return { ...source, call, text: response.text() };
}

describe("AI-34: the limit of silence", () => {
  test("does not limit the whole stream", async () => {
    const { write, close, text } = await opened({ idleTimeoutMs: 50 * SECOND_MS });
    for (let at = 0; at < 20; at++) {
      await vi.advanceTimersByTimeAsync(40 * SECOND_MS);
      write(`${at}\n`);
    }
    close();
    expect((await text).split("\n").filter(Boolean).length).toBe(20);
  });

  test("ends the call when a silence is longer, also where the body does not know of it", async () => {
    const { call, text } = await opened({ idleTimeoutMs: 50 * SECOND_MS });
    const ended = expect(text).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(51 * SECOND_MS);
    await ended;
    expect(call.failure).toMatchObject({ code: "timeout", message: "The stream fell silent for 50000 ms." });
  });

  test("0 means none, and no timer is left", async () => {
    const { write, close, text } = await opened({ idleTimeoutMs: 0, firstByteTimeoutMs: 0 });
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10 * HOUR_MS);
    write("x");
    close();
    expect(await text).toBe("x\n\n");
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("AI-31: a fetch that knows of no signal is left when the request is aborted", async () => {
  const controller = new AbortController();
  const request: ChatRequest = { model: TARGET, messages: [], signal: controller.signal };
  const call = new HttpCall({ request, fetch: () => new Promise(() => {}), headers: {} });
  const ended = expect(call.fetch("http://h.test/v1")).rejects.toMatchObject({ name: "AbortError" });
  controller.abort();
  await ended;
  call.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("AI-33: a finished call leaves no listener on its signal", async () => {
  const { call, close, text } = await opened();
  close();
  await text;
  expect(getEventListeners(call.signal, "abort")).toEqual([]);
});
