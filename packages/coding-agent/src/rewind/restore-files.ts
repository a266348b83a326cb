import type { FileSystem } from "../env/environment.ts";
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
  /** Files that the run had made, taken away again. */
  readonly removed: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: KeptReason }[];
}

type Step =
  | { readonly kind: "none" }
  | { readonly kind: "keep"; readonly reason: KeptReason }
  | { readonly kind: "remove" }
  | { readonly kind: "write"; readonly content: Uint8Array; readonly mode: number };

export interface RestoreOptions {
  readonly plan: readonly PlannedFile[];
  readonly files: FileSystem;
  readonly store: SnapshotStore;
  /** Only says what would happen. */
  readonly isDryRun: boolean;
  /** Called around each change of a file. */
  readonly around: (path: string, work: () => Promise<void>) => Promise<void>;
}

/** Puts every planned file into its target state, if it is still as the run left it; foreign changes stay. */
export async function restoreFiles(options: RestoreOptions): Promise<RestoreOutcome> {
  const restored: string[] = [];
  const removed: string[] = [];
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
    else if (step.kind === "remove") removed.push(path);
    else if (step.kind === "keep") kept.push({ path, reason: step.reason });
  }
  return { restored, removed, kept };
}

async function stepFor({ path, expected, target }: PlannedFile, options: RestoreOptions): Promise<Step> {
  const { files, store } = options;
  // The path leads elsewhere now: what lies there is not what the run changed.
  if ((await files.realPath(path).catch(() => path)) !== path) {
    return { kind: "keep", reason: "changed by somebody else" };
  }
  const present = await stateOf(path, files);
  if (isSameState(present, target)) return { kind: "none" };
  if (!isSameState(present, expected)) return { kind: "keep", reason: "changed by somebody else" };
  if (target === "unknown") return { kind: "keep", reason: "no copy of that version" };
  if (target === null) return { kind: "remove" };
  const content = await store.read(target.hash);
  return content === undefined
    ? { kind: "keep", reason: "no copy of that version" }
    : { kind: "write", content, mode: target.mode };
}

async function take(path: string, step: Step, { files, around }: RestoreOptions): Promise<void> {
  if (step.kind === "remove") await around(path, async () => files.remove?.(path));
  if (step.kind === "write") {
    await around(path, async () => {
      await files.writeFile(path, step.content);
      await files.setMode?.(path, step.mode);
    });
  }
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
