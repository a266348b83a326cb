import { randomBytes } from "node:crypto";
import { createServer, globalAgent, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
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

type Sockets = typeof globalAgent.sockets;

const hasSocket = (sockets: Sockets, url: string) =>
  Object.entries(sockets).some(([name, some]) => name.includes(`:${new URL(url).port}:`) && some?.length);

/** Whether a connection to a server waits for another call. */
const isConnectionFree = (url: string) => hasSocket(globalAgent.freeSockets, url);

/** Resolves once the connection that serves a call is closed and whoever listens has heard of it. */
async function connectionEnd(url: string): Promise<void> {
  await vi.waitUntil(() => !hasSocket(globalAgent.sockets, url), 10_000);
  await new Promise(setImmediate);
}

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

test("a reset in the middle of an answer over a kept connection is told, and the request is not sent again", async () => {
  const sockets: Socket[] = [];
  const url = await served((request, response) => {
    sockets.push(request.socket);
    request.resume().on("end", () => {
      if (sockets.length === 2) response.write("data: 1\n\n");
      else response.end("fine");
    });
  });
  await (await post(url))?.text();
  await vi.waitUntil(() => isConnectionFree(url));
  const answer = await post(url);
  expect(sockets[1]).toBe(sockets[0]);
  sockets[1]?.resetAndDestroy();
  await expect(answer?.text()).rejects.toThrow();
  // The server would have seen another request before this one.
  expect(await (await post(url))?.text()).toBe("fine");
  expect(sockets.length).toBe(3);
});

/** Errors that nobody hears while the test runs, which would end a process. */
function strayErrors(): readonly unknown[] {
  const stray: unknown[] = [];
  const hear = (error: unknown) => void stray.push(error);
  process.on("uncaughtException", hear);
  onTestFinished(() => void process.off("uncaughtException", hear));
  return stray;
}

const PACKINGS = [
  { packing: "plain", headers: {}, pack: (text: string) => Buffer.from(text) },
  { packing: "gzip", headers: { "content-encoding": "gzip" }, pack: (text: string) => gzipSync(text) },
];

test.each(PACKINGS)(
  "an abort when the rest of an answer was left leaves no error that nobody hears: $packing",
  async ({ headers, pack }) => {
    const bytes = pack("data: 1\n\ndata: 2\n\n");
    const url = await served((_request, response) => {
      response.writeHead(200, headers).write(bytes.subarray(0, -4));
      response.end(bytes.subarray(-4));
    });
    const stray = strayErrors();
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController();
      const answer = await post(url, controller.signal);
      for await (const _ of answer?.body ?? []) break;
      for (let turn = 0; turn < round % 4; turn++) await Promise.resolve();
      controller.abort();
      await new Promise((done) => setTimeout(done, 1));
    }
    expect(stray).toEqual([]);
  },
);

test.each(PACKINGS)(
  "an abort of an answer that nobody reads leaves no error that nobody hears: $packing",
  async ({ headers, pack }) => {
    const url = await served((_request, response) => {
      // More than is read ahead.
      response.writeHead(200, headers).write(pack(randomBytes(4_000_000).toString("hex")));
    });
    const stray = strayErrors();
    const controller = new AbortController();
    await post(url, controller.signal);
    controller.abort();
    await connectionEnd(url);
    expect(stray).toEqual([]);
  },
);

test.each(PACKINGS)(
  "a reset after an answer was left leaves no error that nobody hears: $packing",
  async ({ headers, pack }) => {
    const left = Promise.withResolvers<void>();
    const url = await served((request, response) => {
      response.writeHead(200, headers).write(pack("data: 1\n\n").subarray(0, -4));
      void left.promise.then(() => request.socket.resetAndDestroy());
    });
    const stray = strayErrors();
    const answer = await post(url);
    for await (const _ of answer?.body ?? []) break;
    left.resolve();
    await connectionEnd(url);
    expect(stray).toEqual([]);
  },
);
