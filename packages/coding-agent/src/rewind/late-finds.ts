import type { FileTree, TreeChange } from "../file-tree/file-tree.ts";
import type { CommandTime } from "../tools/change-observer.ts";
import { atMost } from "./at-most.ts";

/** A command that has ended. */
export interface PastCall {
  readonly toolCallId: string;
  /** Unix milliseconds by the clock of the session. */
  readonly atMs: number;
  readonly time: CommandTime;
}

export interface LateFindsOptions {
  readonly tree: Pick<FileTree, "verify">;
  readonly record: (call: PastCall, changes: readonly TreeChange[]) => Promise<void>;
}

/** What the next call waits at most for a look that has found nothing so far in this tree. */
const MAX_WAIT_MS = 40;

/**
 * Looks once more at the whole tree after commands, in the background, for what the system did not report; finds are of
 * the command in whose time the file changed. Once there was one, the next call waits for this look.
 */
export class LateFinds {
  readonly #options: LateFindsOptions;
  /** Commands that no look has followed yet, oldest first. */
  #calls: PastCall[] = [];
  #looking: Promise<void> | undefined;
  #hasFound = false;

  constructor(options: LateFindsOptions) {
    this.#options = options;
  }

  /** Begins a look for what a command did; does not reject, and need not be awaited. */
  look(call: PastCall): void {
    this.#calls.push(call);
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Of changes that somebody made since the last look: those that a command made after all. Gone files are not. */
  async sort(changes: readonly TreeChange[]): Promise<void> {
    await this.#attribute(
      changes.filter(({ after }) => after !== undefined),
      this.#calls,
    );
  }

  async settle(): Promise<void> {
    await this.#looking;
  }

  async settleSoon(): Promise<void> {
    if (this.#looking === undefined || this.#hasFound) return this.settle();
    await atMost(MAX_WAIT_MS, this.#looking);
  }

  async #lookAll(): Promise<void> {
    while (this.#calls.length > 0) {
      const calls = [...this.#calls];
      const untilMs = Math.max(...calls.map(({ time }) => time.endedAtMs));
      const missed = await this.#options.tree.verify({ untilMs });
      this.#calls = this.#calls.filter((call) => !calls.includes(call));
      await this.#attribute(missed, calls);
    }
  }

  async #attribute(changes: readonly TreeChange[], calls: readonly PastCall[]): Promise<void> {
    const byCall = Map.groupBy(changes, ({ after }) =>
      after === undefined ? calls.at(-1) : calls.find(({ time }) => isWithin(after.changedAtMs, time)),
    );
    for (const [call, found] of byCall) {
      if (call === undefined) continue;
      this.#hasFound = true;
      await this.#options.record(call, found);
    }
  }
}

function isWithin(atMs: number | undefined, { startedAtMs, endedAtMs }: CommandTime): boolean {
  return atMs !== undefined && atMs >= startedAtMs && atMs <= endedAtMs;
}
