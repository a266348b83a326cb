export type * from "./coding-agent-contract.ts";
export type {
  Environment,
  FileInfo,
  FileSystem,
  Shell,
  ShellExit,
  ShellRunOptions,
} from "./env/environment.ts";
