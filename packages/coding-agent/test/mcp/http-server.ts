import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { onTestFinished } from "vitest";
import { createSampleServer } from "./sample-server.ts";

export interface HttpServer {
  readonly url: string;
  /** The headers of each request, oldest first. */
  readonly headers: readonly IncomingMessage["headers"][];
  /** Forgets all sessions, as a server does that was started again. */
  forget(): void;
  /** Nobody answers at the address until `resume`, which knows no session. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface HttpServerOptions {
  readonly token?: string;
  /** Answers instead of the sample server. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
  /** A file for what the client cannot see. */
  readonly log?: string;
}

/** A real server on loopback, with sessions; closed with the test. */
export async function startHttpServer(options: HttpServerOptions = {}): Promise<HttpServer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const headers: IncomingMessage["headers"][] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    headers.push(request.headers);
    if (options.answer !== undefined) return options.answer(request, response);
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end("who are you?");
      return;
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response);
    if (id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    await createSampleServer(options.log).connect(transport);
    await transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  await listen(0);
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers,
    forget: () => sessions.clear(),
    pause: close,
    async resume() {
      sessions.clear();
      await listen(port);
    },
  };
}
