import type { AnyAgentTool } from "@coppice/agent";
import { createFileTree } from "../file-tree/create-file-tree.ts";
import { FileLedger } from "./file-ledger.ts";
import * as factories from "./tool-factories.ts";
import type { ToolOptions } from "./tool-options.ts";

/** The built-in tools by name, sharing one ledger of what was read, one queue per file and one tree. */
export function createBuiltinTools(options: ToolOptions): readonly AnyAgentTool[] {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  const tree = options.tree ?? createFileTree(options);
  // A module's names come sorted, so the order of the tools in every request is fixed.
  return Object.values(factories).map((create) => create({ ...options, ledger, tree }));
}
