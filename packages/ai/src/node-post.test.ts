import { createServer, globalAgent, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodePost } from "./node-post.ts";

async function served(listener: RequestListener): Promise<string> {
  // Longer than a test on a slow machine may take between two calls.
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Whether a connection to a server waits for another call. */
const isConnectionFree = (url: string) =>
  Object.entries(globalAgent.freeSockets).some(
    ([name, free]) => name.includes(`:${new URL(url).port}:`) && free?.length,
  );

const post = (url: string, signal = new AbortController().signal) =>
  nodePost({ url, headers: { "x-mine": "yes" }, body: "é", signal });

test("posts the body and the headers, and gives the head and the text", async () => {
  const url = await served((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      response
        .writeHead(418, { "X-Id": "7" })
        .end(`${request.method} ${request.headers["x-mine"]} ${Buffer.concat(chunks)}`),
    );
  });
  const answer = await post(url);
  expect([answer?.status, answer?.headers.get("x-id"), await answer?.text()]).toEqual([
    418,
    "7",
    "POST yes é",
  ]);
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("unpacks an answer that a server packs unasked: %s", async (encoding, pack) => {
  const url = await served((_request, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(pack("data: x\n\n"));
  });
  expect(await (await post(url))?.text()).toBe("data: x\n\n");
});

test("leaves redirects, credentials in the address and other protocols to the long way", async () => {
  let requests = 0;
  const url = await served((_request, response) => {
    requests++;
    response.writeHead(307, { location: "/v2" }).end();
  });
  expect(await post(url)).toBeUndefined();
  expect(await post(url.replace("http://", "http://me:secret@"))).toBeUndefined();
  expect(await post("ftp://127.0.0.1/v1")).toBeUndefined();
  expect(requests).toBe(1);
});

test("an abort ends a body that is being read, packed or not", async () => {
  for (const headers of [{}, { "content-encoding": "gzip" }]) {
    const url = await served((_request, response) => {
      response.writeHead(200, headers).write(gzipSync("x").subarray(0, 5));
    });
    const controller = new AbortController();
    const answer = await post(url, controller.signal);
    const read = answer?.text();
    controller.abort();
    await expect(read).rejects.toThrow();
  }
});

test("a body that is left at its end keeps its connection for the next call", async () => {
  const sockets = new Set<unknown>();
  const url = await served((request, response) => {
    sockets.add(request.socket);
    response.write("data: last\n\n");
    request.resume().on("end", () => setImmediate(() => response.end("data: [DONE]\n\n")));
  });
  for (let call = 0; call < 3; call++) {
    const answer = await post(url);
    for await (const chunk of answer?.body ?? []) {
      expect(String(chunk)).toContain("last");
      break;
    }
    // The rest is read in the background; the connection is free again when that is over.
    await vi.waitUntil(() => isConnectionFree(url));
  }
  expect(sockets.size).toBe(1);
});

test("a request over a kept connection that the server had given up goes over a new one", async () => {
  const sockets = new Set<unknown>();
  const url = await served((request, response) => {
    const isKept = sockets.has(request.socket);
    sockets.add(request.socket);
    if (isKept) request.socket.destroy();
    else request.resume().on("end", () => response.end("fine"));
  });
  for (let call = 0; call < 2; call++) {
    expect(await (await post(url))?.text()).toBe("fine");
    if (call === 0) await vi.waitUntil(() => isConnectionFree(url));
  }
  expect(sockets.size).toBe(2);
});

test("an abort when the rest of an answer was left leaves no error that nobody hears", async () => {
  const url = await served((_request, response) => {
    response.writeHead(200).write("data: 1\n\n");
    response.end("data: 2\n\n");
  });
  const stray: unknown[] = [];
  const hear = (error: unknown) => void stray.push(error);
  process.on("uncaughtException", hear);
  onTestFinished(() => void process.off("uncaughtException", hear));
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController();
    const answer = await post(url, controller.signal);
    for await (const _ of answer?.body ?? []) break;
    for (let turn = 0; turn < round % 4; turn++) await Promise.resolve();
    controller.abort();
    await new Promise((done) => setTimeout(done, 1));
  }
  expect(stray).toEqual([]);
});
