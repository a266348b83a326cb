/** What an extension asks the user. `owner` is the extension; texts are untrusted and shown inert. */
export type DialogRequest = Readonly<{ owner: string; title: string }> &
  (
    | Readonly<{ kind: "confirm"; message?: string }>
    | Readonly<{ kind: "select"; options: readonly string[] }>
    | Readonly<{ kind: "input"; placeholder?: string }>
  );

/** True or false for `confirm`, a text for the others; undefined = dismissed. */
export type DialogAnswer = boolean | string | undefined;

/** Shows one dialog at a time. `signal` fires when nobody waits for the answer any more: the dialog then closes. */
export type DialogPresenter = (request: DialogRequest, signal: AbortSignal) => Promise<DialogAnswer>;

interface Waiting {
  readonly request: DialogRequest;
  readonly closed: AbortController;
  readonly settle: (answer: DialogAnswer) => void;
}

export interface ExtensionDialogsOptions {
  /** The UI of the beginning; absent = nobody can be asked until one is attached, and each dialog is dismissed at once. */
  readonly presenter?: DialogPresenter | undefined;
  /** Told of a presenter that failed. */
  readonly onFailure: (error: unknown) => void;
}

/** Dialogs of all extensions, one after the other. Each promise settles exactly once, whatever becomes of the UI. */
export class ExtensionDialogs {
  readonly #options: ExtensionDialogsOptions;
  readonly #queue: Waiting[] = [];
  #presenter: DialogPresenter | undefined;
  #shown: Waiting | undefined;

  constructor(options: ExtensionDialogsOptions) {
    this.#options = options;
    this.#presenter = options.presenter;
  }

  /** The UI from now on; returns what takes it away, which dismisses what is asked. The last one attached counts. */
  attach(presenter: DialogPresenter): () => void {
    this.#presenter = presenter;
    return () => {
      if (this.#presenter !== presenter) return;
      this.#presenter = undefined;
      for (const waiting of [...this.#queue, this.#shown]) waiting?.closed.abort();
    };
  }

  /** Asks; undefined = dismissed, nobody there, or the signal fired. */
  ask(request: DialogRequest, signal?: AbortSignal): Promise<DialogAnswer> {
    if (this.#presenter === undefined || signal?.aborted === true) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<DialogAnswer>();
    const closed = new AbortController();
    const close = () => closed.abort();
    const settle = (answer: DialogAnswer) => {
      signal?.removeEventListener("abort", close);
      resolve(answer);
    };
    const waiting: Waiting = { request, closed, settle };
    signal?.addEventListener("abort", close, { once: true });
    closed.signal.addEventListener("abort", () => this.#close(waiting), { once: true });
    this.#queue.push(waiting);
    this.#showNext();
    return promise;
  }

  /** Dismisses what an extension has open or queued. */
  dismiss(owner: string): void {
    for (const waiting of [...this.#queue, this.#shown])
      if (waiting?.request.owner === owner) waiting.closed.abort();
  }

  #close(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at !== -1) this.#queue.splice(at, 1);
    waiting.settle(undefined);
    if (this.#shown !== waiting) return;
    this.#shown = undefined;
    this.#showNext();
  }

  #showNext(): void {
    if (this.#presenter === undefined || this.#shown !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#shown = next;
    void this.#show(next, this.#presenter);
  }

  async #show(waiting: Waiting, presenter: DialogPresenter): Promise<void> {
    try {
      waiting.settle(await presenter(waiting.request, waiting.closed.signal));
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#close(waiting);
    }
  }
}
