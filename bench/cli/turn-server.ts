import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Tool calls that one prompt leads to where the prompt says `many`. */
const TOOL_TURNS = 30;

export interface TurnServer extends Disposable {
  readonly baseUrl: string;
}

/** A model server that answers at once: with a text, or with one call of `read` a turn until there were enough. */
export async function startTurnServer(): Promise<TurnServer> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => answer(body, response));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.dispose]: () => close(server),
  };
}

interface SentMessage {
  readonly role: string;
  readonly content?: unknown;
}

function answer(body: string, response: ServerResponse): void {
  const { messages }: { readonly messages: readonly SentMessage[] } = JSON.parse(body);
  const last = messages.findLastIndex(({ role }) => role === "user");
  const isLong = JSON.stringify(messages[last]?.content ?? "").includes("many");
  const results = messages.slice(last).filter(({ role }) => role === "tool").length;
  const isCall = isLong && results < TOOL_TURNS;
  const call = {
    index: 0,
    id: `call_${results}`,
    type: "function",
    function: { name: "read", arguments: '{"path":"a.txt"}' },
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const head = { id: "1", object: "chat.completion.chunk", created: 1, model: "m" };
  const send = (fields: object) => response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`);
  const delta = isCall ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: "Done." };
  send({ choices: [{ index: 0, delta, finish_reason: null }] });
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  send({ choices: [{ index: 0, delta: {}, finish_reason: isCall ? "tool_calls" : "stop" }], usage });
  response.end("data: [DONE]\n\n");
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
