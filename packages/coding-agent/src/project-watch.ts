import type { Agent } from "@coppice/agent";
import type { FileTree } from "./file-tree/file-tree.ts";
import type { ChangeRecorder } from "./rewind/change-recorder.ts";
import type { SnapshotPruning } from "./rewind/snapshot-pruning.ts";
import type { ToolSet } from "./tool-set.ts";

export interface ProjectWatchOptions {
  readonly tree: FileTree;
  /** Absent = nobody keeps what files held. */
  readonly recorder: ChangeRecorder | undefined;
  readonly pruning: SnapshotPruning | undefined;
  readonly toolSet: ToolSet;
}

/** A run that is over sooner than this loads and looks at nothing: a model that calls a tool takes longer. */
const DELAY_MS = 100;

/** Gets to know the project's files while the model answers, so that the first command need not wait. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions;
  #detach: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
  }

  attach(agent: Agent): void {
    this.#detach = agent.subscribe((event) => {
      if (event.type !== "turn_start") return;
      this.#options.pruning?.markUsed();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#warm(), DELAY_MS).unref();
    });
  }

  #warm(): void {
    const { tree, recorder, pruning, toolSet } = this.#options;
    pruning?.start();
    if (toolSet.active.some(({ name }) => name === "bash")) (recorder ?? tree).warm();
  }

  /** What is known to have changed is written down first. */
  async end(): Promise<void> {
    const { tree, recorder, pruning } = this.#options;
    this.#detach?.();
    clearTimeout(this.#timer);
    await pruning?.end();
    await recorder?.end();
    await tree.close();
    await recorder?.settle();
  }
}
