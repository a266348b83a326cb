import type { AnyAgentTool } from "@coppice/agent";
import { createBashTool } from "./bash/tool.ts";
import { createEditTool } from "./edit/tool.ts";
import { FileLedger } from "./file-ledger.ts";
import { createFindTool } from "./find/tool.ts";
import { createGrepTool } from "./grep/tool.ts";
import { createLsTool } from "./ls/tool.ts";
import { createReadTool } from "./read/tool.ts";
import type { ToolOptions } from "./tool-options.ts";
import { createWriteTool } from "./write/tool.ts";

/** One line per built-in tool: its name and its factory. */
const FACTORIES = [
  createReadTool,
  createWriteTool,
  createEditTool,
  createBashTool,
  createGrepTool,
  createFindTool,
  createLsTool,
] as const;

/** The seven built-in tools, sharing one ledger, in a fixed order. */
export function createBuiltinTools(options: ToolOptions): readonly AnyAgentTool[] {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return FACTORIES.map((create) => create({ ...options, ledger }));
}
