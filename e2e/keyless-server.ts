import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of somebody's own, such as Ollama: OpenAI's API, and no key asked for. */
export interface KeylessServer extends AsyncDisposable {
  /** As it is written into `models.json`. */
  readonly baseUrl: string;
  /** Bodies of the requests, oldest first. */
  readonly requests: readonly string[];
}

/** Answers every request with this text. */
export async function createKeylessServer(answer: string): Promise<KeylessServer> {
  const requests: string[] = [];
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "own", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece);
    requests.push(Buffer.concat(body).toString("utf8"));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      `${chunk({ role: "assistant", content: answer }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
