import { isSameStamp } from "../../file-tree/file-stamp.ts";
import type { FileTree, TreeChange } from "../../file-tree/file-tree.ts";
import type { CommandTime } from "../change-observer.ts";
import type { FileLedger } from "../file-ledger.ts";

/** File systems keep time in steps. */
const CLOCK_STEP_MS = 20;
/** A first look that takes longer is not waited for; what the command changes is then not known. */
const MAX_FIRST_WAIT_MS = 10_000;

export interface CommandChangesOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly tree: FileTree;
  /** Where the look before was an old one: what the agent wrote since is no change of the command. */
  readonly ledger: FileLedger;
  /** Unix milliseconds by the clock of the file system; default: this machine's. */
  readonly clock?: () => number;
}

/** Tells which files a command changed: those that differ between a look before it and one after it. */
export class CommandChanges {
  readonly #options: CommandChangesOptions;
  #isKnown = false;
  #isExact = false;
  #startedAtMs = 0;

  constructor(options: CommandChangesOptions) {
    this.#options = options;
  }

  /**
   * Call before a command; answers what became different since the last one.
   *
   * `isExact`: looks in any case, so that what somebody else changed since the last command is not taken for what the next
   * one found.
   */
  async before(
    signal: AbortSignal,
    { isExact }: { readonly isExact: boolean },
  ): Promise<readonly TreeChange[]> {
    const look = this.#options.tree.baseline({ isExact });
    const between = signal.aborted ? undefined : await Promise.race([look, giveUp(signal)]);
    this.#isKnown = between !== undefined;
    this.#isExact = isExact;
    return between ?? [];
  }

  /** Call when the command starts. */
  begin(): void {
    this.#startedAtMs = this.#now();
    this.#options.tree.giveWay?.();
  }

  /** Call after it: what was made, changed or removed while it ran, sorted by path. */
  async after(): Promise<{ readonly changes: readonly TreeChange[]; readonly time: CommandTime }> {
    const time = { startedAtMs: this.#startedAtMs - CLOCK_STEP_MS, endedAtMs: this.#now() };
    const found = this.#isKnown ? await this.#options.tree.changes() : undefined;
    const changes = (found ?? []).filter((change) => this.#isOfCommand(change, time));
    return { changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)), time };
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }

  /** What somebody else changed before the command began is not its doing. */
  #isOfCommand({ path, after }: TreeChange, { startedAtMs }: CommandTime): boolean {
    if (after === undefined) return true;
    if ((after.changedAtMs ?? Number.POSITIVE_INFINITY) < startedAtMs) return false;
    if (this.#isExact) return true;
    const seen = this.#options.ledger.stampOf(`${this.#options.cwd}/${path}`);
    return seen === undefined || !isSameStamp(seen, after);
  }
}

async function giveUp(signal: AbortSignal): Promise<undefined> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_FIRST_WAIT_MS)]);
  await new Promise<void>((resolve) => ended.addEventListener("abort", () => resolve(), { once: true }));
}
