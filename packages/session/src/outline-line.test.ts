import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type DecodedLine, decodeLine, encodeEntry } from "./codec.ts";
import { type AnyEntry, isEntry } from "./entry.ts";
import { decodeOutlineLine } from "./outline-line.ts";
import { linkOf } from "./tree.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const base = { id: "a1", parentId: "a0", timestamp: "2026-01-01T00:00:00.000Z" };
const text = fc.string({ unit: "binary", maxLength: 30 });

const entry: fc.Arbitrary<AnyEntry> = fc.oneof(
  text.map((content) => ({
    type: "message",
    ...base,
    message: { role: "user", content, timestamp: 1.5e12 },
  })),
  text.map((content) => ({
    type: "message",
    ...base,
    parentId: null,
    message: { role: "assistant", content: [{ type: "text", text: content }] },
  })),
  text.map((id) => ({ type: "message", ...base, id: `é${id}`, message: { role: "user" } })),
  text.map((label) => ({ type: "label", ...base, targetId: "a0", label })),
  text.map((targetId) => ({ type: "leaf", ...base, targetId })),
  text.map((name) => ({ type: "session_info", ...base, name })),
  text.map((summary) => ({ type: "compaction", ...base, summary, firstKeptEntryId: "a0" })),
  text.map((more) => ({ type: "later_kind", ...base, more })),
) as fc.Arbitrary<AnyEntry>;

/** What of a line makes the tree. */
function links(decoded: DecodedLine): unknown {
  if (decoded.kind !== "entry") return decoded;
  const { type, id, parentId, timestamp } = decoded.entry;
  const label = isEntry(decoded.entry, "label") ? [decoded.entry.targetId, decoded.entry.label] : [];
  const name = isEntry(decoded.entry, "session_info") ? [decoded.entry.name] : [];
  return { type, id, parentId, timestamp, link: linkOf(decoded.entry), label, name };
}

const lineOf = (value: AnyEntry): Buffer => Buffer.from(encodeEntry(value).trimEnd());

test("a line has the links that reading all of it gives", () => {
  fc.assert(
    fc.property(entry, (value) => {
      const line = lineOf(value);
      expect(links(decodeOutlineLine(line))).toEqual(links(decodeLine(line.toString("utf8"))));
    }),
    { numRuns: 500 },
  );
});

test("a line with bytes changed, cut or zeroed is as readable as it is for whoever reads all of it", () => {
  const damage = fc.record({ at: fc.nat(), length: fc.nat(20), put: fc.uint8Array({ maxLength: 4 }) });
  fc.assert(
    fc.property(entry, damage, fc.boolean(), (value, { at, length, put }, isZeroed) => {
      const line = lineOf(value);
      const from = at % line.length;
      const bytes = isZeroed
        ? Buffer.from(line).fill(0, from, Math.min(line.length, from + length))
        : Buffer.concat([line.subarray(0, from), put, line.subarray(from + length)]);
      expect(links(decodeOutlineLine(bytes))).toEqual(links(decodeLine(bytes.toString("utf8"))));
    }),
    { numRuns: 3000 },
  );
});

test("a link that lost its first quote is no link", () => {
  const line = '{"type":"message","id":"a1","parentId":0","timestamp":"t","message":{"role":"user"}}';
  expect(decodeOutlineLine(Buffer.from(line))).toEqual(decodeLine(line));
});

test("what a message holds is not kept", () => {
  const message = { role: "user", content: "long", timestamp: 1 };
  const decoded = decodeOutlineLine(lineOf({ type: "message", ...base, message } as AnyEntry));
  expect(decoded).toEqual({ kind: "entry", entry: { type: "message", ...base } });
});
