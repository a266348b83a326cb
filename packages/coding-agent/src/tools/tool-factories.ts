// The built-in tools: one line and one folder each. Their order in the prompt is that of the names.
export { createBashTool } from "./bash/tool.ts";
export { createEditTool } from "./edit/tool.ts";
export { createFindTool } from "./find/tool.ts";
export { createGrepTool } from "./grep/tool.ts";
export { createLsTool } from "./ls/tool.ts";
export { createReadTool } from "./read/tool.ts";
export { createWriteTool } from "./write/tool.ts";
