import type { CompactionResult, Pin } from "@coppice/compaction";
import type { AutoCompaction } from "./auto-compaction.ts";
import type { CompactionRun } from "./compaction-run.ts";
import type { Extension } from "./extension.ts";
import type { ExtensionHost } from "./extension-host.ts";
import type { NavigateResult, Navigation } from "./navigation.ts";
import type { Operation, OperationGate } from "./operation-gate.ts";
import type { Pins } from "./pins.ts";
import type { Prompting } from "./prompting.ts";
import type { ForkResult, SessionFork } from "./session-fork.ts";

export interface SessionOperationsOptions {
  readonly gate: OperationGate;
  readonly compaction: CompactionRun;
  readonly autoCompaction: AutoCompaction;
  readonly navigation: Navigation;
  readonly fork: SessionFork;
  readonly pins: Pins;
  readonly extensions: ExtensionHost;
  readonly prompting: Prompting;
}

/** What the user does to the session between prompts. Messages queued meanwhile are sent afterwards. */
export class SessionOperations {
  readonly #options: SessionOperationsOptions;

  constructor(options: SessionOperationsOptions) {
    this.#options = options;
  }

  /** Compacts now, wherever the trigger is. Throws as `CompactionRun.run` does, and `agent_busy`. */
  compact(instructions?: string): Promise<CompactionResult> {
    return this.#exclusively("compact", (signal) =>
      this.#options.compaction.run({ reason: "manual", instructions, signal }),
    );
  }

  /** Moves in the tree. Throws as `Navigation.navigate` does, and `agent_busy`. */
  navigate(
    entryId: string | null,
    options: { readonly summarize?: boolean; readonly instructions?: string } = {},
  ): Promise<NavigateResult> {
    const { summarize = false, instructions } = options;
    return this.#exclusively("navigate", (signal) =>
      this.#options.navigation.navigate({ entryId, summarize, instructions, signal }),
    );
  }

  /** Copies the path to an entry into a new session. Throws as `SessionFork.fork` does, and `agent_busy`. */
  fork(entryId: string | null | undefined): Promise<ForkResult> {
    return this.#exclusively("fork", () => this.#options.fork.fork(entryId));
  }

  /** Unloads all extensions and sets these up. Throws `agent_busy`. */
  reloadExtensions(extensions: readonly Extension[]): Promise<void> {
    const { extensions: host } = this.#options;
    return this.#exclusively("reload", async () => {
      await host.unload();
      for (const extension of extensions) await host.load(extension);
    });
  }

  get extensions(): ExtensionHost {
    return this.#options.extensions;
  }

  pin(text: string, source: Pin["source"] = "user"): Promise<Pin> {
    return this.#options.pins.pin(text, source);
  }

  unpin(id: string): Promise<void> {
    return this.#options.pins.unpin(id);
  }

  pins(): Promise<readonly Pin[]> {
    return this.#options.pins.list();
  }

  async #exclusively<Result>(
    operation: Exclude<Operation, "prompt">,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { gate, autoCompaction, prompting } = this.#options;
    let aborted = false;
    let ran = false;
    try {
      return await gate.run(operation, async (signal) => {
        ran = true;
        try {
          return await work(signal);
        } finally {
          aborted = signal.aborted;
        }
      });
    } finally {
      if (ran) {
        autoCompaction.reset();
        if (!aborted) prompting.drain();
      }
    }
  }
}
