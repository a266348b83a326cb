import { constants } from "node:os";
import type { ShellExit } from "../../env/environment.ts";
import { formatBytes } from "../../text/byte-count.ts";
import { countOf } from "../../text/count.ts";
import type { Tail } from "../../text/tail-buffer.ts";

/** How a command ended, in one line; undefined when it succeeded. */
export function exitNotice(exit: ShellExit, timeoutSeconds: number | undefined): string | undefined {
  if (exit.reason === "aborted") return "[Command aborted.]";
  if (exit.reason === "timeout")
    return `[Command timed out after ${countOf(timeoutSeconds ?? 0, "second")} and was ended.]`;
  if (exit.signal !== undefined) return `[Command ended by ${exit.signal}${signalExitCode(exit.signal)}.]`;
  return exit.exitCode === 0 ? undefined : `[Command exited with code ${exit.exitCode}.]`;
}

/** Shells report death by a signal as 128 plus its number. */
function signalExitCode(signal: string): string {
  const number = (constants.signals as Readonly<Record<string, number>>)[signal];
  return number === undefined ? "" : ` (exit code ${128 + number})`;
}

/** What was cut from the output and where the whole is; undefined when nothing was cut. */
export function cutNotice(tail: Tail, fullOutputPath: string | undefined): string | undefined {
  const { truncation } = tail;
  if (truncation === undefined) return undefined;
  const whole = fullOutputPath === undefined ? "The rest was not kept." : `Full output: ${fullOutputPath}`;
  const total = truncation.totalLines ?? tail.lastLine;
  if (truncation.lastLinePartial && truncation.outputLines === 1) {
    return `[Last ${formatBytes(truncation.outputBytes)} of line ${tail.lastLine} of ${total} shown. ${whole}]`;
  }
  const part = truncation.lastLinePartial ? ", the first one only in part" : "";
  return `[Lines ${tail.firstLine}-${tail.lastLine} of ${total} shown${part}. ${whole}]`;
}
