import { CompactionError, type CompactionStrategy, isCompactionError } from "@coppice/compaction";
import { messageOf } from "./errors.ts";

/** A strategy of an extension: one that throws anything is passed over, so that the next can act; an abort is none. */
export function contributedStrategy(strategy: CompactionStrategy, signal: AbortSignal): CompactionStrategy {
  return {
    name: strategy.name,
    async shrink(input) {
      try {
        return await strategy.shrink(input);
      } catch (cause) {
        if (signal.aborted || isCompactionError(cause)) throw cause;
        throw new CompactionError({ code: "invalid_result", message: messageOf(cause), cause });
      }
    },
  };
}
