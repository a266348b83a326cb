import type { Usage } from "@coppice/ai";
import type { AnyEntry } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";

/** As a boundary: nothing stays verbatim. */
export const KEEP_NOTHING = "";

/** A compaction that an extension made. Stored with `fromHook: true`. */
export interface SuppliedCompaction {
  readonly summary: string;
  /** First entry of the path that stays verbatim; absent = where the built-in cut would be; `""` = nothing stays. */
  readonly firstKeptEntryId?: string;
  /** Entries behind the boundary that go all the same. */
  readonly hiddenEntryIds?: readonly string[];
  readonly details?: unknown;
  readonly usage?: Usage;
}

/** Throws `invalid_compaction` unless the summary says something and the boundary lies on the path. */
export function checkSuppliedCompaction(supplied: SuppliedCompaction, path: readonly AnyEntry[]): void {
  if (typeof supplied.summary !== "string" || supplied.summary.trim() === "") {
    throw new CodingAgentError({ code: "invalid_compaction", message: "The supplied summary is empty." });
  }
  const boundary = supplied.firstKeptEntryId;
  if (boundary !== undefined && boundary !== KEEP_NOTHING && !path.some((entry) => entry.id === boundary)) {
    throw new CodingAgentError({
      code: "invalid_compaction",
      message: `The supplied boundary "${boundary}" is no entry of the current path.`,
    });
  }
}
