export type * from "./compaction-contract.ts";
