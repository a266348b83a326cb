import type { Agent, AgentMessage } from "@coppice/agent";
import type { CompactionResult, Pin } from "@coppice/compaction";
import type { AutoCompaction } from "./auto-compaction.ts";
import type { CompactionRun } from "./compaction-run.ts";
import type { Extension } from "./extension.ts";
import type { ExtensionHost } from "./extension-host.ts";
import type { BackgroundCompaction } from "./memory/background-compaction.ts";
import type { NavigateResult, Navigation } from "./navigation.ts";
import type { Operation, OperationGate } from "./operation-gate.ts";
import type { Pins } from "./pins.ts";
import type { Prompting } from "./prompting.ts";
import type { ForkChoices, ForkResult, SessionFork } from "./session-fork.ts";

/** What the user did beside the agent: a command of their own, a note of the program. */
export type AddedMessage = Extract<AgentMessage, { readonly role: "bashExecution" | "custom" }>;

export interface SessionOperationsOptions {
  readonly agent: Agent;
  readonly gate: OperationGate;
  readonly compaction: CompactionRun;
  readonly autoCompaction: AutoCompaction;
  readonly background: BackgroundCompaction;
  readonly navigation: Navigation;
  readonly fork: SessionFork;
  readonly pins: Pins;
  readonly extensions: ExtensionHost;
  readonly prompting: Prompting;
}

export interface NavigateChoices {
  /** Summarise the branch that is left. */
  readonly summarize?: boolean;
  /** For the summary. */
  readonly instructions?: string;
  /** Put the files that the run changed back as well; those that somebody else changed since stay. */
  readonly restoreFiles?: boolean;
}

/** What the user does to the session between prompts. Messages queued meanwhile are sent afterwards. */
export class SessionOperations {
  readonly #options: SessionOperationsOptions;

  constructor(options: SessionOperationsOptions) {
    this.#options = options;
  }

  /** Compacts now, wherever the trigger is. Throws as `CompactionRun.run` does, and `agent_busy`. */
  compact(instructions?: string): Promise<CompactionResult> {
    return this.exclusively("compact", (signal) =>
      this.#options.compaction.run({ reason: "manual", instructions, signal }),
    );
  }

  /** Moves in the tree. Throws as `Navigation.navigate` does, and `agent_busy`. */
  navigate(entryId: string | null, options: NavigateChoices = {}): Promise<NavigateResult> {
    const { summarize = false, instructions, restoreFiles = false } = options;
    return this.exclusively("navigate", (signal) =>
      this.#options.navigation.navigate({ entryId, summarize, instructions, restoreFiles, signal }),
    );
  }

  /** Copies the path to an entry into a new session. Throws as `SessionFork.fork` does, and `agent_busy`. */
  fork(choices: ForkChoices): Promise<ForkResult> {
    return this.exclusively("fork", () => this.#options.fork.fork(choices));
  }

  /** Unloads all extensions and sets these up. Throws `agent_busy`. */
  reloadExtensions(extensions: readonly Extension[]): Promise<void> {
    const { extensions: host } = this.#options;
    return this.exclusively("reload", async () => {
      await host.unload();
      for (const extension of extensions) await host.load(extension);
    });
  }

  get extensions(): ExtensionHost {
    return this.#options.extensions;
  }

  /** Adds a message that asks for no answer; never between a call and its results, nor into a compaction or a move. */
  async addMessage(message: AddedMessage): Promise<void> {
    const { gate, agent } = this.#options;
    while (gate.current !== undefined && gate.current !== "prompt") await gate.waitForIdle();
    gate.refuseClosed("add a message");
    await agent.add(message);
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

  /** Runs work as the only operation. Throws `agent_busy` and what the work throws. */
  async exclusively<Result>(
    operation: Exclude<Operation, "prompt">,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { gate, autoCompaction, background, prompting } = this.#options;
    let aborted = false;
    let ran = false;
    try {
      return await gate.run(operation, async (signal) => {
        ran = true;
        try {
          // Never two summaries at once.
          if (operation === "compact" || operation === "draft") {
            await background.drop("A compaction by hand takes its place.");
          }
          return await work(signal);
        } finally {
          aborted = signal.aborted;
          await background.check();
        }
      });
    } finally {
      if (ran) {
        // After an undo it rests on purpose, and looking changes nothing.
        if (operation !== "undo" && operation !== "draft") autoCompaction.reset();
        if (!aborted) prompting.drain();
      }
    }
  }
}
