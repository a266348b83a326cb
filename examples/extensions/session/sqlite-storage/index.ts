import { DatabaseSync } from "node:sqlite";
import type { Extension } from "@coppice/coding-agent";
import { StoreRepo } from "@coppice/session";
import { sqliteStore } from "../../../session/sqlite-store.ts";

/** Offers sessions in a SQLite database as the storage `sqlite`; a host chooses it with `openSession`. */
export function sqliteStorage(path: string): Extension {
  return {
    name: "sqlite-storage",
    setup(api) {
      api.registerStorage("sqlite", new StoreRepo(sqliteStore(new DatabaseSync(path))));
    },
  };
}
