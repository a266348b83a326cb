export type * from "./coding-agent-contract.ts";
export type {
  Environment,
  FileInfo,
  FileSystem,
  RipgrepExit,
  RipgrepRunOptions,
  RunRipgrep,
  Scratch,
  ScratchFile,
  Shell,
  ShellExit,
  ShellRunOptions,
} from "./env/environment.ts";
// Environment and tools
export { createLocalEnvironment, type LocalEnvironmentOptions } from "./env/local-environment.ts";
export { type ProviderKeyOptions, withoutProviderKeys } from "./env/provider-keys.ts";
export { type BashDetails, createBashTool } from "./tools/bash/tool.ts";
export { createBuiltinTools } from "./tools/builtin-tools.ts";
export { createEditTool, type EditDetails } from "./tools/edit/tool.ts";
export { FileLedger, type FileStamp } from "./tools/file-ledger.ts";
export { createFindTool, type FindDetails } from "./tools/find/tool.ts";
export { createGrepTool, type GrepDetails } from "./tools/grep/tool.ts";
export { createLsTool, type LsDetails } from "./tools/ls/tool.ts";
export { createReadTool, type ReadDetails } from "./tools/read/tool.ts";
export { ToolError } from "./tools/tool-error.ts";
export { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, type ToolOptions } from "./tools/tool-options.ts";
export { createWriteTool, type WriteDetails } from "./tools/write/tool.ts";
