import type { Session } from "@coppice/session";
import type { Environment } from "../env/environment.ts";
import type { FileTree } from "../file-tree/file-tree.ts";
import { ChangeRecorder } from "./change-recorder.ts";
import { GitContents } from "./git-contents.ts";
import { DEFAULT_SNAPSHOT_LIMITS, type SnapshotLimits } from "./snapshot-limits.ts";
import { SnapshotPruning } from "./snapshot-pruning.ts";
import { SnapshotStore } from "./snapshot-store.ts";

export interface SnapshotOptions {
  /** Absolute; where versions of this project's files are kept. Outside the project, private to the user. */
  readonly directory: string;
  /** Absolute; the folder of the stores of all projects. Those that nobody uses any more go; absent: they stay. */
  readonly projectsDirectory?: string;
  /** How much is kept; default: `DEFAULT_SNAPSHOT_LIMITS`. */
  readonly limits?: Partial<SnapshotLimits>;
}

/** What keeps the versions of a project's files, and what is told of their changes. */
export interface Snapshots {
  readonly store: SnapshotStore;
  readonly recorder: ChangeRecorder;
  /** What looks after the size of the store. */
  readonly pruningOf: (session: Pick<Session, "getEntries">) => SnapshotPruning;
}

/** Connects the recorder of an agent with its store; nothing is written before the first change. */
export function createSnapshots(
  { directory, projectsDirectory, limits }: SnapshotOptions,
  parts: {
    readonly cwd: string;
    readonly environment: Environment;
    /** The one of the tools. */
    readonly tree: FileTree;
    readonly now: () => number;
    readonly newId: () => string;
    /** The session whose changes are kept; asked with the first of them. */
    readonly sessionId: () => string;
    readonly onFailure: (error: unknown) => void;
  },
): Snapshots {
  const { cwd, environment, tree, now, newId, sessionId, onFailure } = parts;
  const { files, shell } = environment;
  const store = new SnapshotStore({ directory, newId, sessionId });
  const objects = new GitContents({ cwd, shell });
  return {
    store,
    recorder: new ChangeRecorder({ cwd, files, tree, store, objects, now, onFailure }),
    pruningOf: (session) =>
      new SnapshotPruning({
        ...{ directory, projectsDirectory, store, session },
        limits: { ...DEFAULT_SNAPSHOT_LIMITS, ...limits },
      }),
  };
}
