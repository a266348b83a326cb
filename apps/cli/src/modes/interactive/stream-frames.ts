/**
 * Time between two frames that only show more of a stream: smooth to read, and most keys that are typed meanwhile find
 * no frame in their way.
 */
export const STREAM_FRAME_MS = 50;

export interface StreamFramesOptions {
  readonly requestRender: () => void;
}

/** Asks for frames while something streams: the first at once, the others not too often; keys draw at once on their own. */
export class StreamFrames {
  readonly #options: StreamFramesOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsked = false;

  constructor(options: StreamFramesOptions) {
    this.#options = options;
  }

  /** There is more to show. */
  request(): void {
    this.#isAsked = true;
    if (this.#timer === undefined) this.#ask();
  }

  #ask(): void {
    this.#timer = undefined;
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#options.requestRender();
    this.#timer = setTimeout(() => this.#ask(), STREAM_FRAME_MS).unref();
  }
}
