import { createParser } from "eventsource-parser";
import type { PostAnswer } from "../post.ts";
import type { WireFrame } from "./frame.ts";

/** The server-sent events of a response, those of one chunk together. */
export async function* framesOf({
  body,
}: Pick<PostAnswer, "body">): AsyncGenerator<readonly WireFrame[], void, void> {
  let frames: WireFrame[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => frames.push({ event: event ?? null, data }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (frames.length === 0) continue;
    yield frames;
    frames = [];
  }
}
