/** Nobody who reads it did anything wrong (fault kind UI-24). */
export const CRASH_ADVICE =
  "That is a mistake of Coppice or of an extension, not yours. COPPICE_DEBUG=1 shows where it happened.";

/** An error that nobody caught, as opposed to one that somebody is to be told of. */
export class CrashError extends Error {
  override readonly name = "CrashError";
  readonly advice = CRASH_ADVICE;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack;
  }
}
