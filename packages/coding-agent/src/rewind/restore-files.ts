import { basename, isAbsolute, relative, sep } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { isSameStamp } from "../file-tree/file-stamp.ts";
import { hashOf } from "../tools/file-ledger.ts";
import { errorCode } from "../tools/tool-error.ts";
import { type EarlierState, type FileState, isSameState } from "./file-state.ts";
import type { PlannedFile } from "./rewind-plan.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

/** Why a file stays as it is. */
export type KeptReason = "changed by somebody else" | "no copy of that version" | "cannot be written";

/** What putting files back did, or would do. Paths are absolute. */
export interface RestoreOutcome {
  readonly restored: readonly string[];
  /** Files that did not exist then, taken away. */
  readonly removed: readonly string[];
  /** Those of `removed` that may be somebody else's; absent where there are none. */
  readonly setAside?: SetAside;
  readonly kept: readonly { readonly path: string; readonly reason: KeptReason }[];
}

/** Files that came while a command ran: the run's or somebody else's, so they are moved and not deleted. */
export interface SetAside {
  /** Where they were, absolute. */
  readonly paths: readonly string[];
  /** Absolute; the folder that holds them by their paths in the project. In a dry run that of all such folders. */
  readonly directory: string;
}

type Step =
  | { readonly kind: "none" }
  | { readonly kind: "keep"; readonly reason: KeptReason }
  | { readonly kind: "remove" }
  | { readonly kind: "setAside" }
  | { readonly kind: "write"; readonly content: Uint8Array; readonly mode: number };

export interface RestoreOptions {
  readonly plan: readonly PlannedFile[];
  readonly files: FileSystem;
  readonly store: SnapshotStore;
  /** Names this change. */
  readonly restoreId: string;
  /** Absolute, links resolved; the folder of the project. */
  readonly root: string;
  /** Only says what would happen. */
  readonly isDryRun: boolean;
  /** Called around each change of a file. */
  readonly around: (path: string, work: () => Promise<void>) => Promise<void>;
}

/** Puts every planned file into its target state, if it is still as the run left it; foreign changes stay. */
export async function restoreFiles(options: RestoreOptions): Promise<RestoreOutcome> {
  const restored: string[] = [];
  const removed: string[] = [];
  const setAside: string[] = [];
  const kept: { path: string; reason: KeptReason }[] = [];
  for (const planned of options.plan) {
    const { path } = planned;
    const step = await stepFor(planned, options);
    try {
      if (!options.isDryRun) await take(path, step, options);
    } catch {
      kept.push({ path, reason: "cannot be written" });
      continue;
    }
    if (step.kind === "write") restored.push(path);
    else if (step.kind === "remove" || step.kind === "setAside") removed.push(path);
    else if (step.kind === "keep") kept.push({ path, reason: step.reason });
    if (step.kind === "setAside") setAside.push(path);
  }
  if (setAside.length === 0) return { restored, removed, kept };
  const directory = options.store.setAsideDirectory(options.isDryRun ? undefined : options.restoreId);
  return { restored, removed, setAside: { paths: setAside, directory }, kept };
}

async function stepFor(
  { path, expected, target, isMadeByRun }: PlannedFile,
  options: RestoreOptions,
): Promise<Step> {
  const { files, store } = options;
  // The path leads elsewhere now: what lies there is not what the run changed.
  if ((await files.realPath(path).catch(() => path)) !== path) {
    return { kind: "keep", reason: "changed by somebody else" };
  }
  const present = await stateOf(path, files);
  if (isSameState(present, target)) return { kind: "none" };
  if (!isSameState(present, expected)) return { kind: "keep", reason: "changed by somebody else" };
  if (target === "unknown") return { kind: "keep", reason: "no copy of that version" };
  if (target === null) return { kind: isMadeByRun ? "remove" : "setAside" };
  const content = await store.read(target.hash);
  return content === undefined
    ? { kind: "keep", reason: "no copy of that version" }
    : { kind: "write", content, mode: target.mode };
}

async function take(path: string, step: Step, options: RestoreOptions): Promise<void> {
  const { files, around, store, restoreId, root } = options;
  if (step.kind === "remove") await around(path, async () => files.remove?.(path));
  if (step.kind === "setAside") {
    await around(path, async () => {
      const before = await files.stat(path);
      await store.setAside({ restoreId, name: nameBelow(root, path), content: await files.readFile(path) });
      if (!isSameStamp(before, await files.stat(path))) throw new Error("It was changed meanwhile.");
      await files.remove?.(path);
    });
  }
  if (step.kind === "write") {
    await around(path, async () => {
      await files.writeFile(path, step.content);
      await files.setMode?.(path, step.mode);
    });
  }
}

/** A path for a copy, never one that leads out of its folder. */
function nameBelow(root: string, path: string): string {
  const name = relative(root, path);
  return isAbsolute(name) || name.split(sep)[0] === ".." ? basename(path) : name;
}

/** `unknown` for what is no regular file any more: it is left alone. */
async function stateOf(path: string, files: FileSystem): Promise<EarlierState> {
  try {
    const info = await files.stat(path);
    if (info.kind !== "file") return "unknown";
    const state: FileState = { hash: hashOf(await files.readFile(path)), mode: info.mode };
    return state;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : "unknown";
  }
}
