import type { DatabaseSync } from "node:sqlite";
import { SessionError, type SessionHeader, type SessionStorage, type SessionStore } from "@coppice/session";

const PAGE = 100;

// Pages from either end, and appends that are all or nothing after an expected end.
function sqliteStorage(db: DatabaseSync, header: SessionHeader): SessionStorage {
  const count = db.prepare("SELECT count(*) AS n FROM entries WHERE session = ?");
  const select = db.prepare(
    "SELECT at, json FROM entries WHERE session = ? AND at >= ? AND at < ? ORDER BY at",
  );
  const insert = db.prepare("INSERT INTO entries VALUES (?, ?, ?)");
  const size = () => Number(count.get(header.id)?.n);
  return {
    header,
    path: undefined,
    async readPage({ before = size(), after } = {}) {
      const start = after ?? Math.max(0, before - PAGE);
      const end = after === undefined ? before : Math.min(size(), after + PAGE);
      const items = select.all(header.id, start, end).map(({ at, json }) => {
        return { kind: "entry", at: Number(at), entry: JSON.parse(String(json)) } as const;
      });
      return { items, start, end, diagnostics: [] };
    },
    async append(entries, expectedEnd) {
      db.exec("BEGIN IMMEDIATE");
      try {
        if (size() !== expectedEnd) throw new SessionError({ code: "changed", message: "Somebody wrote." });
        db.prepare("INSERT OR IGNORE INTO sessions VALUES (?, ?)").run(header.id, JSON.stringify(header));
        for (const [index, entry] of entries.entries()) {
          insert.run(header.id, expectedEnd + index, JSON.stringify(entry));
        }
        db.exec("COMMIT");
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
      return expectedEnd + entries.length;
    },
    async sync() {},
    async close() {},
  };
}

/** Sessions in a SQLite database. */
export function sqliteStore(db: DatabaseSync): SessionStore {
  db.exec("CREATE TABLE sessions (id TEXT PRIMARY KEY, header TEXT)");
  db.exec("CREATE TABLE entries (session TEXT, at INTEGER, json TEXT, PRIMARY KEY (session, at))");
  const headers = db.prepare("SELECT header FROM sessions");
  return {
    headers: async () => headers.all().map(({ header }) => JSON.parse(String(header))),
    storage: async (header) => sqliteStorage(db, header),
    async delete(id) {
      db.prepare("DELETE FROM entries WHERE session = ?").run(id);
      db.prepare("DELETE FROM sessions WHERE id = ?").run(id);
    },
  };
}
