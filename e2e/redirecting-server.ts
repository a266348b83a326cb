import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";

const AWAY = "/away";

/** A front of a server whose addresses under `/away` have moved: a client that follows redirects gets to it. */
export interface RedirectingServer extends AsyncDisposable {
  /** The moved address for a base URL of the server behind. */
  movedFrom(baseUrl: string): string;
  /** Requests that were sent on elsewhere so far. */
  readonly redirects: number;
}

/** Starts the front. It answers as the server that `movedFrom` was last asked for, and from the same origin, so that credentials go along. */
export async function createRedirectingServer(): Promise<RedirectingServer> {
  let behind = "";
  let redirects = 0;
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    if (url.startsWith(AWAY)) {
      redirects++;
      request.resume();
      response.writeHead(307, { location: url.slice(AWAY.length) }).end();
      return;
    }
    const onward = sendRequest(`${behind}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    movedFrom: (baseUrl) => {
      const { origin, pathname } = new URL(baseUrl);
      behind = origin;
      return `http://127.0.0.1:${port}${AWAY}${pathname === "/" ? "" : pathname}`;
    },
    get redirects() {
      return redirects;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
