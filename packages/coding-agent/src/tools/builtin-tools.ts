import type { AnyAgentTool } from "@coppice/agent";
import { FileLedger } from "./file-ledger.ts";
import * as factories from "./tool-factories.ts";
import type { ToolOptions } from "./tool-options.ts";

/** The built-in tools by name, sharing one ledger of what was read and one queue per file. */
export function createBuiltinTools(options: ToolOptions): readonly AnyAgentTool[] {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  // A module's names come sorted, so the order of the tools in every request is fixed.
  return Object.values(factories).map((create) => create({ ...options, ledger }));
}
