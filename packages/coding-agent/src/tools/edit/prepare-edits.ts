import type { Replacement } from "./rewrite.ts";

/** The arguments in every shape that models have been seen to send, and that stored sessions hold. */
export interface EditArguments {
  readonly edits?: readonly Replacement[];
  /** Older shape: one edit at the top level. */
  readonly oldText?: unknown;
  readonly newText?: unknown;
}

/** The edits of a call; an edit at the top level goes first. */
export function editsOf(args: EditArguments): readonly Replacement[] {
  const { oldText, newText, edits = [] } = args;
  return typeof oldText === "string" && typeof newText === "string"
    ? [{ oldText, newText }, ...edits]
    : edits;
}
