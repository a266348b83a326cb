import type { Session } from "@coppice/session";
import { chosenPosition } from "../chosen-position.ts";
import { CodingAgentError } from "../errors.ts";
import type { EventBus } from "../event-bus.ts";
import type { PendingWrites } from "../pending-writes.ts";
import type { SessionOperations } from "../session-operations.ts";
import type { FileRewind } from "./file-rewind.ts";
import type { RestoreOutcome } from "./restore-files.ts";
import { FILES_RESTORED_TYPE } from "./rewind-plan.ts";

export interface FileOperationsOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly operations: SessionOperations;
  readonly events: EventBus;
  /** Absent = nobody keeps what files held. */
  readonly rewind: FileRewind | undefined;
  readonly newId: () => string;
}

/** Puts files back without moving in the tree. One at a time, as every operation. */
export class FileOperations {
  readonly #options: FileOperationsOptions;

  constructor(options: FileOperationsOptions) {
    this.#options = options;
  }

  /** What `restore` would do now. */
  preview(entryId: string | null): Promise<RestoreOutcome> {
    return this.#run(entryId, true);
  }

  /** The talk stays where it is; the model is told which files are other than it knows them. */
  restore(entryId: string | null): Promise<RestoreOutcome> {
    return this.#run(entryId, false);
  }

  async #run(entryId: string | null, isDryRun: boolean): Promise<RestoreOutcome> {
    const { session, writes, operations, events, rewind, newId } = this.#options;
    if (rewind === undefined) {
      throw new CodingAgentError({
        code: "rewind_unavailable",
        message: "Files cannot be put back: no snapshots of them are kept here.",
      });
    }
    return operations.exclusively("restore", async () => {
      await writes.flushOrThrow();
      const { targetId } = await chosenPosition(session, entryId);
      const plan = await rewind.plan(await session.getBranch(), await rewind.branchTo(targetId));
      const restoreId = `restore-${newId()}`;
      const outcome = await rewind.restore(plan, { restoreId, isDryRun });
      const changed = [...outcome.restored, ...outcome.removed];
      if (isDryRun || changed.length === 0) return outcome;
      await session.appendCustomMessageEntry({
        customType: FILES_RESTORED_TYPE,
        content: toldTo(outcome),
        display: true,
        details: { restoreId, ...outcome },
      });
      await events.emit({ type: "files_restored", ...outcome });
      return outcome;
    });
  }
}

const MOST_NAMES = 50;

function toldTo({ restored, removed, setAside }: RestoreOutcome): string {
  const list = (paths: readonly string[]) => {
    const names = paths.slice(0, MOST_NAMES).map((path) => `- ${path.replaceAll(/\p{Cc}/gu, "?")}`);
    return [...names, ...(paths.length > MOST_NAMES ? [`- and ${paths.length - MOST_NAMES} more`] : [])];
  };
  return [
    "The user put files back to an earlier state. Read them again before you change them.",
    ...(restored.length === 0 ? [] : ["", "Restored:", ...list(restored)]),
    ...(removed.length === 0 ? [] : ["", "Removed, as they did not exist then:", ...list(removed)]),
    ...(setAside === undefined ? [] : ["", `What came during a command lies in ${setAside.directory} now.`]),
  ].join("\n");
}
