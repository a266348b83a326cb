import {
  type AnyEntry,
  SessionError,
  type SessionHeader,
  type SessionStorage,
  type SessionStore,
  type StoredPage,
  StoreRepo,
} from "@coppice/session";
import { sessionRepoCases } from "@coppice/session/testing";
import { PGlite } from "@electric-sql/pglite";

const PAGE = 100;
const SCHEMA = `
  CREATE TABLE sessions (id text PRIMARY KEY, header text NOT NULL, size bigint NOT NULL DEFAULT 0);
  CREATE TABLE entries (session text REFERENCES sessions ON DELETE CASCADE, at bigint, json text NOT NULL,
                        PRIMARY KEY (session, at));`;

// The shape of a PostgreSQL store, on PGlite. The row of the session serialises writers: who finds another size than
// expected has lost the race. The text stays text, so that unknown fields and their order are kept.
class PostgresStorage implements SessionStorage {
  readonly path = undefined;
  readonly header: SessionHeader;
  readonly #db: PGlite;

  constructor(db: PGlite, header: SessionHeader) {
    this.#db = db;
    this.header = header;
  }

  async readPage({ before, after }: { before?: number; after?: number } = {}): Promise<StoredPage> {
    const sql = "SELECT size FROM sessions WHERE id = $1";
    const size = Number((await this.#db.query<{ size: string }>(sql, [this.header.id])).rows[0]?.size ?? 0);
    const start = after ?? Math.max(0, (before ?? size) - PAGE);
    const end = after === undefined ? (before ?? size) : Math.min(size, after + PAGE);
    const { rows } = await this.#db.query<{ at: number; json: string }>(
      "SELECT at::int, json FROM entries WHERE session = $1 AND at >= $2 AND at < $3 ORDER BY at",
      [this.header.id, start, end],
    );
    const items = rows.map(
      ({ at, json }) => ({ kind: "entry", at, entry: JSON.parse(json) as AnyEntry }) as const,
    );
    return { items, start, end, diagnostics: [] };
  }

  async append(entries: readonly AnyEntry[], expectedEnd: number): Promise<number> {
    const end = expectedEnd + entries.length;
    const { id } = this.header;
    await this.#db.transaction(async (tx) => {
      const make = "INSERT INTO sessions (id, header) VALUES ($1, $2) ON CONFLICT DO NOTHING";
      await tx.query(make, [id, JSON.stringify(this.header)]);
      const take = "UPDATE sessions SET size = $3 WHERE id = $1 AND size = $2";
      const { affectedRows } = await tx.query(take, [id, expectedEnd, end]);
      if (affectedRows !== 1)
        throw new SessionError({ code: "changed", message: `Somebody else wrote to ${id}.` });
      const lines = entries.map((entry) => JSON.stringify(entry));
      const insert =
        "INSERT INTO entries SELECT $1, $2 + n - 1, json FROM unnest($3::text[]) WITH ORDINALITY AS t(json, n)";
      await tx.query(insert, [id, expectedEnd, lines]);
    });
    return end;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}

function postgresStore(db: PGlite): SessionStore {
  return {
    async headers() {
      const { rows } = await db.query<{ header: string }>("SELECT header FROM sessions");
      return rows.map(({ header }) => JSON.parse(header) as SessionHeader);
    },
    storage: async (header) => new PostgresStorage(db, header),
    async delete(id) {
      await db.query("DELETE FROM sessions WHERE id = $1", [id]);
    },
  };
}

const db = await PGlite.create();
await db.exec(SCHEMA);
const cases = sessionRepoCases({
  async createRepo() {
    await db.exec("DELETE FROM sessions");
    return new StoreRepo(postgresStore(db));
  },
});
for (const { run } of cases) await run();
await db.close();
console.log("all cases of the conformance suite passed");
