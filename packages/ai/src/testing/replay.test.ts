import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replayFetch } from "./replay.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coppice-replay-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("answers with the recorded stream, whatever the chunk size, and shows the request", async () => {
  const recorded = 'data: {"text":"北京"}\n\n';
  await writeFile(join(folder, "response.sse"), recorded);
  const seen: unknown[] = [];
  const fetch = await replayFetch(folder, { chunkBytes: 1, onRequest: (request) => seen.push(request) });
  const response = await fetch("http://x/v1", { method: "POST", body: '{"a":1}', headers: { "X-Key": "k" } });
  expect([response.headers.get("content-type"), await response.text()]).toEqual([
    "text/event-stream",
    recorded,
  ]);
  expect(seen).toEqual([
    {
      url: "http://x/v1",
      headers: { "x-key": "k" },
      body: { a: 1 },
    },
  ]);
});

test("answers with JSON where there is no stream", async () => {
  await writeFile(join(folder, "response.json"), '{"ok":true}');
  expect(await (await (await replayFetch(folder))("http://x")).json()).toEqual({ ok: true });
});

test("says so when the folder holds no response", async () => {
  await expect(replayFetch(folder)).rejects.toThrow("ENOENT");
});

test("an abort between two chunks breaks the body", async () => {
  await writeFile(join(folder, "response.sse"), "data: 1\n\n");
  const controller = new AbortController();
  const fetch = await replayFetch(folder, { chunkBytes: 1 });
  const { body } = await fetch("http://x", { signal: controller.signal });
  const reader = body?.getReader();
  await reader?.read();
  controller.abort();
  const drain = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(drain()).rejects.toThrow("aborted");
});
