import type { Environment } from "../env/environment.ts";
import type { FileTree } from "../file-tree/file-tree.ts";
import type { ImageLimits } from "../images/image-limits.ts";
import type { ChangeObserver } from "./change-observer.ts";
import type { FileLedger } from "./file-ledger.ts";

/** What every built-in tool is made of. */
export interface ToolOptions {
  /** Absolute; relative paths of a model resolve against it. */
  readonly cwd: string;
  readonly environment: Environment;
  /** What is known of files read and written. Tools that work on the same files share one. */
  readonly ledger?: FileLedger;
  /** The files below `cwd`. Tools that work on the same files share one; whoever makes it closes it. */
  readonly tree?: FileTree | undefined;
  /** Absent: nobody keeps what files held. */
  readonly changes?: ChangeObserver | undefined;
  /** Whether a search may show what is in a file (absolute, links resolved); default: any. */
  readonly mayRead?: ((path: string) => boolean) | undefined;
  /** What images that are read have to fit; default: what every vendor takes. */
  readonly imageLimits?: (() => ImageLimits) | undefined;
}

/** Lines a tool shows at most. */
export const MAX_OUTPUT_LINES = 2000;
/** Bytes (UTF-8) a tool shows at most. */
export const MAX_OUTPUT_BYTES = 50 * 1024;

/** Both caps together. */
export const OUTPUT_LIMITS = { maxLines: MAX_OUTPUT_LINES, maxBytes: MAX_OUTPUT_BYTES } as const;
