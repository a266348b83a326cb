import type { ServerResponse } from "node:http";
import { setImmediate as nextTick } from "node:timers/promises";
import type { WireAnswer, WireFraming } from "./wire-answer.ts";
import type { WireFormat, WireFrame, WireReply } from "./wire-format.ts";

export interface SendOptions {
  readonly response: ServerResponse;
  readonly format: WireFormat;
  readonly answer: WireAnswer;
  readonly reply: WireReply;
}

/** Streams an answer as server-sent events, with its pace, framing and fault. Resolves when nothing more is sent. */
export async function sendStream({ response, format, answer, reply }: SendOptions): Promise<void> {
  const { fault, framing, pace } = answer;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  const faultAt = fault !== undefined && "afterDeltas" in fault ? fault.afterDeltas : undefined;
  let deltas = 0;
  let isFaulted = false;
  for (const frame of format.frames(reply)) {
    const isDue = faultAt !== undefined && frame.isDelta === true && deltas >= faultAt;
    if (!isFaulted && fault !== undefined && (isDue || frame.isEnd === true)) {
      isFaulted = true;
      if ((await injectFault({ response, format, answer })) === "over") return;
    }
    if (frame.isDelta) {
      await pace?.gate?.(deltas);
      deltas++;
    }
    if (response.destroyed) return;
    await send(response, framed(frame, format, framing), framing);
  }
  response.end();
}

/** What a fault does to a stream; "over" = nothing follows. Faults with fewer deltas than asked for act at the end. */
async function injectFault(options: Omit<SendOptions, "reply">): Promise<"over" | "goes on"> {
  const { response, format, answer } = options;
  switch (answer.fault?.kind) {
    case "error_event":
      await send(response, encode(format.errorFrame(), answer.framing), answer.framing);
      response.end();
      return "over";
    case "reset":
      await nextTick();
      response.destroy();
      return "over";
    case "stall":
      return "over";
    case "malformed":
      await send(response, encode({ data: '{"type":"broken' }, answer.framing), answer.framing);
      return "goes on";
    case "cut":
      response.end();
      return "over";
    default:
      return "goes on";
  }
}

/** Sends an answer in one JSON body; a fault that a stream would meet in its middle meets it half way through. */
export async function sendWhole({ response, format, answer, reply }: SendOptions): Promise<void> {
  await answer.pace?.gate?.(0);
  if (response.destroyed) return;
  const text = JSON.stringify(format.whole(reply));
  const half = text.slice(0, text.length / 2);
  response.writeHead(200, { "content-type": "application/json" });
  switch (answer.fault?.kind) {
    case "reset":
      response.write(half);
      await nextTick();
      response.destroy();
      return;
    case "stall":
      response.write(half);
      return;
    case "cut":
    case "malformed":
      response.end(half);
      return;
    case "error_event":
      response.end(format.errorFrame().data);
      return;
    default:
      response.end(text);
  }
}

function framed(frame: WireFrame, format: WireFormat, framing: WireFraming | undefined): string {
  const newline = framing?.newline ?? "\n";
  const comment = framing?.keepAlives ? `: keep-alive${newline}${newline}` : "";
  const ping = framing?.keepAlives && format.keepAlive ? encode(format.keepAlive, framing) : "";
  const unknown = framing?.unknownEvents ? encode(UNKNOWN_EVENT, framing) : "";
  return comment + ping + unknown + encode(frame, framing);
}

const UNKNOWN_EVENT: WireFrame = { event: "x_unheard_of", data: '{"type":"x_unheard_of"}' };

function encode(frame: WireFrame, framing: WireFraming | undefined): string {
  const newline = framing?.newline ?? "\n";
  const event = frame.event === undefined ? "" : `event: ${frame.event}${newline}`;
  return `${event}data: ${frame.data}${newline}${newline}`;
}

async function send(response: ServerResponse, text: string, framing: WireFraming | undefined): Promise<void> {
  const bytes = Buffer.from(text);
  const size = framing?.chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    await write(response, bytes.subarray(start, start + size));
    // A turn of the event loop keeps the kernel from gluing small chunks together again.
    if (framing?.chunkBytes !== undefined) await nextTick();
  }
}

/** Resolves when the bytes have left, or when the client has. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}
