/**
 * Time between two frames that only show more of a stream: smooth to read, and most keys that are typed meanwhile find
 * no frame in their way.
 */
export const STREAM_FRAME_MS = 50;

/** After a frame that took long, the stream waits so many times as long, so that keys come in between. */
const REST_PER_FRAME = 2;

export interface StreamFramesOptions {
  /** Takes in what has streamed, or a part of it, and draws it; whether there is more. */
  readonly draw: () => boolean;
  /** Milliseconds from some moment on. */
  readonly now: () => number;
}

/** Draws while something streams: the first frame at once, the others not too often; keys draw on their own. */
export class StreamFrames {
  readonly #options: StreamFramesOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamFramesOptions) {
    this.#options = options;
  }

  /** There is more to show. */
  request(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#restsUntilMs - this.#options.now());
    this.#timer = setTimeout(() => this.#draw(), waitMs).unref();
  }

  #draw(): void {
    const { draw, now } = this.#options;
    this.#timer = undefined;
    const startMs = now();
    const hasMore = draw();
    const endMs = now();
    this.#restsUntilMs = Math.max(startMs + STREAM_FRAME_MS, endMs + REST_PER_FRAME * (endMs - startMs));
    if (hasMore) this.request();
  }
}
