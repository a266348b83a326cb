import { expect, test } from "vitest";
import { outcomeLines } from "./rewind.ts";

const host = { agent: { session: { header: { cwd: "/w" } } } } as never;

test("what would be put back, taken away and kept is named from the working directory, with names made inert", () => {
  const outcome = {
    restored: ["/w/a.ts", "/elsewhere/b.ts"],
    removed: ["/w/src/\u001b[31mred.ts"],
    kept: [{ path: "/w/c.ts", reason: "changed by somebody else" as const }],
  };
  const lines = outcomeLines(outcome, host);
  expect(lines.slice(0, 2)).toEqual(["  restore  a.ts", "  restore  /elsewhere/b.ts"]);
  expect(lines[2]).toContain("red.ts (did not exist then)");
  expect(lines.join("")).not.toContain("\u001b");
  expect(lines[3]).toBe("  stays    c.ts (changed by somebody else)");
});

test("a file that may be somebody else's is said to be moved, and where to", () => {
  const setAside = { paths: ["/w/b.ts"], directory: "/store/set-aside/\u001b[31mr" };
  const lines = outcomeLines({ restored: [], removed: ["/w/a.ts", "/w/b.ts"], setAside, kept: [] }, host);
  expect(lines).toEqual([
    "  remove   a.ts (did not exist then)",
    "  move     b.ts (came during a command; yours, perhaps)",
    expect.stringMatching(/^ {2}moved to \/store\/set-aside\//),
  ]);
  expect(lines.join("")).not.toContain("\u001b");
});

test("a long list is cut and says by how much", () => {
  const restored = Array.from({ length: 20 }, (_, at) => `/w/${at}`);
  expect(outcomeLines({ restored, removed: [], kept: [] }, host).at(-1)).toBe("  and 8 more");
});
