import { DatabaseSync } from "node:sqlite";
import { StoreRepo } from "@coppice/session";
import { sessionRepoCases } from "@coppice/session/testing";
import { sqliteStore } from "./sqlite-store.ts";

// The shared suite, over a store of one's own: each case gets a repository without sessions.
const cases = sessionRepoCases({
  createRepo: () => new StoreRepo(sqliteStore(new DatabaseSync(":memory:"))),
});
for (const { run } of cases) await run();
console.log(`all ${cases.length > 10 ? "cases" : "too few cases"} of the conformance suite passed`);
