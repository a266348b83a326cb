import type { CliArgs } from "./args.ts";
import type { CliEnvironment } from "./env.ts";
import type { Person } from "./person.ts";
import type { Places } from "./places.ts";
import type { Style } from "./render/style.ts";
import type { StatusLine } from "./status-line.ts";
import type { StopSignal } from "./stop-signal.ts";
import type { TextSink } from "./text-sink.ts";

/** Everything a mode or a command may use of the process around it. */
export interface CliContext {
  readonly args: CliArgs;
  /** Of this program. */
  readonly version: string;
  readonly environment: CliEnvironment;
  readonly places: Places;
  /** Absolute. */
  readonly cwd: string;
  /** Results only. */
  readonly stdout: TextSink;
  /** Progress and diagnostics. */
  readonly stderr: TextSink;
  /** What is going on, at the end of standard error; only where that is a terminal. */
  readonly status: StatusLine;
  /** Colours of standard error. */
  readonly style: Style;
  readonly stop: StopSignal;
  /** Nobody, until a mode puts one here. */
  readonly person: Person;
  /** MCP servers that whoever drives this program names, as `mcp.json` has them. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}
