import type { TreeChange } from "../file-tree/file-tree.ts";

/** When a command ran, Unix milliseconds by the clock of the file system. */
export interface CommandTime {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Is told of every change of files by built-in tools, before and after. None of its methods rejects by itself. */
export interface ChangeObserver {
  /** Does `work`, which may replace the file; rejects as it does. `path` is absolute, links resolved. */
  aroundWrite<Result>(
    call: { readonly toolCallId: string; readonly path: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** `between`: what became different since the last command. */
  beforeCommand(between: readonly TreeChange[]): Promise<void>;
  afterCommand(toolCallId: string, time: CommandTime, changes: readonly TreeChange[]): Promise<void>;
}
