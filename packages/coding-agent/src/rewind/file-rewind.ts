import type { AnyEntry, Session } from "@coppice/session";
import type { FileSystem } from "../env/environment.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import { type RestoreOutcome, restoreFiles } from "./restore-files.ts";
import { type PlannedFile, planRewind } from "./rewind-plan.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

export interface FileRewindOptions {
  /** Absolute; the folder of the project. */
  readonly cwd: string;
  readonly session: Pick<Session, "getBranch">;
  readonly files: FileSystem;
  readonly store: SnapshotStore;
  readonly recorder: ChangeRecorder;
}

/** Puts files back to what they were at a position of the tree, as far as the run changed them. */
export class FileRewind {
  readonly #options: FileRewindOptions;

  constructor(options: FileRewindOptions) {
    this.#options = options;
  }

  /** Root → entry; none for the place before the first entry. */
  branchTo(entryId: string | null): Promise<readonly AnyEntry[]> {
    return entryId === null ? Promise.resolve([]) : this.#options.session.getBranch(entryId);
  }

  async plan(here: readonly AnyEntry[], there: readonly AnyEntry[]): Promise<readonly PlannedFile[]> {
    await this.#options.recorder.settle();
    return planRewind({ here, there, changes: await this.#options.store.changes() });
  }

  /** `restoreId` names the change in the journal, so that it can be taken back like a tool call's. */
  async restore(
    plan: readonly PlannedFile[],
    { restoreId, isDryRun }: { readonly restoreId: string; readonly isDryRun: boolean },
  ): Promise<RestoreOutcome> {
    const { cwd, files, store, recorder } = this.#options;
    const root = await files.realPath(cwd).catch(() => cwd);
    return restoreFiles({
      ...{ plan, files, store, restoreId, root, isDryRun },
      around: (path, work) => recorder.aroundWrite({ toolCallId: restoreId, path }, work),
    });
  }
}
