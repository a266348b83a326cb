import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { ANSWER } from "./stream-answer.ts";

// A thread: serves a long answer at a steady pace to every request, and tells its port.

const DELTA_CHARACTERS = 40;
const DELTAS_PER_TICK = 8;
const TICK_MS = 10;

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice: unknown, usage?: unknown) => {
    const chunk = {
      id: "1",
      object: "chat.completion.chunk",
      created: 1,
      model: "wire-1",
      choices: [choice],
    };
    response.write(`data: ${JSON.stringify(usage === undefined ? chunk : { ...chunk, usage })}\n\n`);
  };
  for (let at = 0, count = 0; at < ANSWER.length; at += DELTA_CHARACTERS, count++) {
    send({ index: 0, delta: { content: ANSWER.slice(at, at + DELTA_CHARACTERS) }, finish_reason: null });
    if (count % DELTAS_PER_TICK === 0) await sleep(TICK_MS);
  }
  send(
    { index: 0, delta: {}, finish_reason: "stop" },
    { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  );
  response.end("data: [DONE]\n\n");
}

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => void stream(response));
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
