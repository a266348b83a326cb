import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface BrowserCallbackOptions {
  /** A place that is given; default: a free port of 127.0.0.1. */
  readonly redirectUrl: string | undefined;
  /** Whether an answer is the one that is waited for; others are refused, and waiting goes on. */
  readonly isOurs: (answer: URLSearchParams) => boolean;
}

/** Where a browser brings the answer of an authorisation server. */
export interface BrowserCallback {
  readonly redirectUrl: string;
  /** The first answer that is ours; never, where `port` could not be had. */
  readonly answer: Promise<URLSearchParams>;
  /** False when another program has the port. */
  readonly isListening: boolean;
  /** Ends the server and every connection to it. */
  close(): void;
}

const PATH = "/callback";

/** Listens on this machine only. Never rejects: without a port the answer can still be pasted. */
export async function listenForCallback(options: BrowserCallbackOptions): Promise<BrowserCallback> {
  const given = options.redirectUrl === undefined ? undefined : new URL(options.redirectUrl);
  const path = given?.pathname ?? PATH;
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    if (request.method !== "GET" || url?.pathname !== path)
      return say(response, 404, "There is nothing here.");
    if (!options.isOurs(url.searchParams)) return say(response, 400, "This answer belongs to another login.");
    const isGood = url.searchParams.has("code");
    say(
      response,
      200,
      isGood ? "You can close this page now." : "Nobody was logged in. You can close this page.",
    );
    resolve(url.searchParams);
  });
  server.listen(Number(given?.port || 0), "127.0.0.1");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  const redirectUrl =
    given?.href ?? `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}${PATH}`;
  return {
    ...{ redirectUrl, answer, isListening },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The connection goes with the answer: a browser would keep it, and the program with it. */
function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      connection: "close",
      "cache-control": "no-store",
    })
    .end(`${text}\n`);
}
