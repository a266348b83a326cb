import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Faults that users met in stores of sessions, each with a test here that names it. */
const HERE: Readonly<Record<string, readonly string[]>> = {
  "codec.test.ts": ["B001", "B026", "SE-24"],
  "tree.test.ts": ["B008", "B031", "SE-16", "SE-17"],
  "context.test.ts": ["B018", "SE-22"],
  "session.test.ts": ["B016", "B024", "SE-03", "SE-18"],
  "lock.test.ts": ["B009", "B010"],
  "kill.test.ts": ["B009", "SE-01", "SE-26"],
  "crash.test.ts": ["SE-03"],
  "jsonl-file.test.ts": ["B004", "B005", "B006", "B011", "B013", "B014", "B020", "SE-01", "SE-04", "SE-10"],
  "doctor.test.ts": ["SE-02"],
  "samples.test.ts": ["B030", "SE-05", "SE-19"],
  "summarise-file.test.ts": ["SE-09"],
  "transfer.test.ts": ["SE-07", "SE-11"],
  "faults.test.ts": ["B015", "B019", "SE-06", "SE-08", "SE-12", "SE-21", "SE-25", "PF-02"],
  "agent-faults.test.ts": ["B029", "SE-15", "SE-20", "SE-23"],
  "testing/conformance.ts": ["B022", "B028", "SE-13", "SE-14"],
};

/** Faults of the same area that a store cannot have or prevent, and the test of whoever can. */
const ELSEWHERE: Readonly<Record<string, { readonly file: string; readonly test: string }>> = {
  B023: { file: "packages/coding-agent/test/kill-resume.test.ts", test: "B023" },
  B025: { file: "packages/coding-agent/src/resume-repair.test.ts", test: "B025" },
  B027: { file: "apps/cli/test/sessions.test.ts", test: "B027" },
};

const ROWS = [1, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31];
const KINDS = Array.from({ length: 26 }, (_, index) => `SE-${String(index + 1).padStart(2, "0")}`);
const ALL = [...ROWS.map((row) => `B${String(row).padStart(3, "0")}`), ...KINDS, "PF-02"];

test("every fault of the session area has a test here, or one of who can have it", () => {
  const mapped = new Set([...Object.values(HERE).flat(), ...Object.keys(ELSEWHERE)]);
  expect([...mapped].sort()).toEqual(ALL.toSorted());
  expect(
    Object.values(HERE)
      .flat()
      .filter((id) => id in ELSEWHERE),
  ).toEqual([]);
});

test.each(Object.entries(ELSEWHERE))("%s is named by a test elsewhere", async (_id, { file, test: name }) => {
  const text = await readFile(join(import.meta.dirname, "../../..", file), "utf8");
  expect(text).toContain(`"${name}: `);
});

test.each(Object.entries(HERE))("%s names its faults in the names of its tests", async (file, ids) => {
  const names = (await readFile(join(import.meta.dirname, file), "utf8")).match(
    /^.*["'`].*(?:B\d{3}|[SP][EF]-\d{2}).*$/gm,
  );
  const named = names?.join("\n") ?? "";
  expect(ids.filter((id) => !named.includes(id))).toEqual([]);
});
