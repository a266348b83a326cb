import type { Environment } from "../env/environment.ts";
import type { FileTree } from "../file-tree/file-tree.ts";
import { ChangeRecorder } from "./change-recorder.ts";
import { GitContents } from "./git-contents.ts";
import { SnapshotStore } from "./snapshot-store.ts";

export interface SnapshotOptions {
  /** Absolute; where versions of this project's files are kept. Outside the project, private to the user. */
  readonly directory: string;
}

/** What keeps the versions of a project's files, and what is told of their changes. */
export interface Snapshots {
  readonly store: SnapshotStore;
  readonly recorder: ChangeRecorder;
}

/** Connects the recorder of an agent with its store; nothing is written before the first change. */
export function createSnapshots(
  { directory }: SnapshotOptions,
  parts: {
    readonly cwd: string;
    readonly environment: Environment;
    /** The one of the tools. */
    readonly tree: FileTree;
    readonly now: () => number;
    readonly newId: () => string;
    readonly onFailure: (error: unknown) => void;
  },
): Snapshots {
  const { cwd, environment, tree, now, newId, onFailure } = parts;
  const { files, shell } = environment;
  const store = new SnapshotStore({ directory, newId });
  const objects = new GitContents({ cwd, shell });
  return { store, recorder: new ChangeRecorder({ cwd, files, tree, store, objects, now, onFailure }) };
}
