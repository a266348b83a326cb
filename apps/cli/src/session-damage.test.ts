import { expect, test } from "vitest";
import { damageNotices } from "./session-damage.ts";

const line = (byteOffset: number) => ({ code: "unreadable_line", message: "x", byteOffset }) as const;

test("damaged lines are one notice with their number, the first place and the remedy", () => {
  expect(damageNotices("/s/a.jsonl", [line(90), { ...line(40), code: "fused_line" }])).toEqual([
    "2 damaged lines were skipped, the first at byte 40 of the session file; see `coppice sessions doctor /s/a.jsonl`",
  ]);
  expect(damageNotices("/s/a.jsonl", [line(90)])).toEqual([
    "1 damaged line was skipped at byte 90 of the session file; see `coppice sessions doctor /s/a.jsonl`",
  ]);
});

test("everything else that is wrong is one more, and what nobody has to act on is none", () => {
  const others = [
    { code: "missing_parent", message: "The parent x of y is missing." },
    { code: "cycle", message: "z is its own parent." },
    { code: "migrated", message: "old" },
  ] as const;
  expect(damageNotices("/s/a.jsonl", others)).toEqual([
    "the session is not whole: The parent x of y is missing, and 1 more; see `coppice sessions doctor /s/a.jsonl`",
  ]);
  expect(damageNotices("/s/a.jsonl", [])).toEqual([]);
});
