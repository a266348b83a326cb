import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeHeader, decodeLine, encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import type { AnyEntry } from "./entry.ts";
import { userMessage } from "./testing/index.ts";

const base = { id: "e1", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" };
const entry: AnyEntry = { type: "message", ...base, message: userMessage("hi") };
const line = encodeEntry(entry).slice(0, -1);

describe("a line of a session file", () => {
  test("is the entry in the key order of the format, ended by LF", () => {
    const mixed = { customType: "x", data: 1, id: "e1", type: "custom", timestamp: "t", parentId: null };
    expect(encodeEntry(mixed as AnyEntry)).toBe(
      '{"type":"custom","id":"e1","parentId":null,"timestamp":"t","customType":"x","data":1}\n',
    );
  });

  test("B026, SE-24: holds any text in one physical line and gives it back unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const made: AnyEntry = { type: "custom", ...base, customType: "x", data: `${text}\n\r\n\u2028\0` };
        const written = encodeEntry(made);
        expect(written.indexOf("\n")).toBe(written.length - 1);
        expect(decodeLine(written.slice(0, -1))).toEqual({ kind: "entry", entry: made });
      }),
    );
  });

  test("keeps kinds and fields that are not known", () => {
    const unknown = { type: "from_the_future", ...base, shape: { deep: [1, null] } };
    expect(decodeLine(JSON.stringify(unknown))).toEqual({ kind: "entry", entry: unknown });
  });

  test.each([
    ["a CR at the end", `${line}\r`],
    ["a BOM at the start", `\uFEFF${line}`],
    ["NUL bytes around it", `\0\0${line}\0`],
    ["spaces around it", `  ${line}\t`],
  ])("is read with %s", (_name, text) => {
    expect(decodeLine(text)).toEqual({ kind: "entry", entry });
  });

  test.each([
    ["", { kind: "blank" }],
    ["\r", { kind: "blank" }],
    ["\0".repeat(512), { kind: "unreadable", reason: "NUL bytes" }],
    ["hello", { kind: "unreadable", reason: "not JSON" }],
    ["[1]", { kind: "unreadable", reason: "no fields" }],
    ["{}", { kind: "unreadable", reason: "no type" }],
    ['{"type":"custom","customType":"x"}', { kind: "unreadable", reason: "no id" }],
    [
      '{"type":"message","id":"a2","parentId":"a1","message":{"role":"toolRes',
      { kind: "unreadable", reason: "not JSON", id: "a2", parentId: "a1" },
    ],
    [
      '{"type":"message","id":"a2","parentId":null}',
      { kind: "unreadable", reason: "no message with a role", id: "a2", parentId: null },
    ],
    ['{"type":"leaf","id":"a2"}', { kind: "unreadable", reason: "no targetId", id: "a2" }],
  ])("B004: %j reads as what it is", (text, decoded) => {
    expect(decodeLine(text)).toEqual(decoded);
  });

  test("B001: gives the entry that another program appended straight after torn bytes", () => {
    const fused = `{"type":"message","id":"a2","parentId":"a1","message":{"role":"user","content":"x ${line}`;
    expect(decodeLine(fused)).toEqual({ kind: "fused", entry, reason: "torn bytes before an entry" });
  });

  test("reads an absent or empty parent as none, and takes an absent time from the message", () => {
    const bare = { type: "message", id: "e1", parentId: "", message: userMessage("hi", 1000) };
    expect(decodeLine(JSON.stringify(bare))).toEqual({
      kind: "entry",
      entry: { ...bare, parentId: null, timestamp: "1970-01-01T00:00:01.000Z" },
    });
  });

  test("survives a message whose content is null", () => {
    const empty = { type: "message", ...base, message: { role: "user", content: null } };
    expect(decodeLine(JSON.stringify(empty))).toEqual({ kind: "entry", entry: empty });
  });
});

describe("the header", () => {
  test("keeps unknown fields and comes back as it was written", () => {
    const header = { ...newHeader({ id: "s", timestamp: "t", cwd: "/w" }), extra: 1 };
    expect(decodeHeader(encodeHeader(header).trimEnd())).toEqual(header);
  });

  test("of version 1 has no version", () => {
    expect(decodeHeader('{"type":"session","id":"s","timestamp":"t"}')).toEqual({
      type: "session",
      version: 1,
      id: "s",
      timestamp: "t",
      cwd: "",
    });
  });

  test.each(["hello", "{}", '{"type":"session"}', '{"type":"session","id":7}', "null"])(
    "is not %j",
    (text) => {
      expect(decodeHeader(text)).toBeUndefined();
    },
  );
});
