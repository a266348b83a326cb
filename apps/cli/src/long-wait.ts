/** What takes less is over before anybody has read of it. */
const TOLD_AFTER_MS = 1_500;

/** Tells what is waited for once it takes long, as long as it lasts. One thing at a time: a new one takes the place. */
export class LongWait {
  readonly #tell: (text: string | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #current: object | undefined;
  #isTold = false;

  /** `tell` shows a line for people; undefined takes it away. */
  constructor(tell: (text: string | undefined) => void) {
    this.#tell = tell;
  }

  /** Begins to wait for `what` ("the extension x to be set up"); returns what ends that, also twice. */
  begin(what: string): () => void {
    this.#stop();
    const token = {};
    this.#current = token;
    this.#timer = setTimeout(() => {
      this.#isTold = true;
      this.#tell(`Waiting for ${what} …`);
    }, TOLD_AFTER_MS).unref();
    return () => {
      if (this.#current === token) this.#stop();
    };
  }

  #stop(): void {
    if (this.#current === undefined) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    if (this.#isTold) this.#tell(undefined);
    this.#isTold = false;
  }
}
