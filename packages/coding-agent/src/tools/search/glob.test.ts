import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createGrepTool } from "../grep/tool.ts";
import { compileGlob } from "./glob.ts";
import { isIgnored, parseIgnoreFile } from "./ignore-rules.ts";

test.each([
  ["*.ts", ["a.ts", "x/y/a.ts"], ["a.tsx", "a.ts/b"]],
  ["src/**/*.{ts,tsx}", ["src/a.ts", "src/x/y/a.tsx"], ["src/a.js", "a.ts"]],
  ["**/a/**/b/**/c", ["a/b/c", "x/a/y/b/z/c", "a/x/y/b/c"], ["a/c/b", "a/b"]],
  ["*a*b*c*", ["abc", "xaybzc", "d/abc"], ["acb", "a/b/c"]],
  ["{a,{b,c}d}/*/?[0-9]*x", ["a/y/q1x", "cd/z/w2...x"], ["b/y/q1x", "a/q1x", "a/y/z/q1x"]],
  ["a/**", ["a/b", "a/b/c"], ["a", "ab/c"]],
  ["[!a-c]*-*-*", ["d-e-f", "x/d--"], ["a-e-f", "d-e"]],
])("the glob %s", (pattern, matching, others) => {
  const matches = compileGlob(pattern);
  expect([...matching, ...others].filter(matches)).toEqual(matching);
});

test("whether a glob has few pieces of unknown length or many, it means the same", () => {
  const piece = fc.constantFrom("a", "b", "?", "*", "**/", "/", "[ab]", "{a,b}", "{a*,/b}");
  const path = fc.stringMatching(/^[ab/]{0,8}$/);
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), path, (pieces, text) => {
      const glob = `x/${pieces.join("")}`;
      // Empty alternatives change nothing but the number of pieces.
      const long = `{,}{,}{,}${glob}`;
      expect(compileGlob(long)(`x/${text}`)).toBe(compileGlob(glob)(`x/${text}`));
    }),
    { numRuns: 500 },
  );
});

// Each of these takes hours where every way to match is tried in turn.
test.each([
  { name: "stars", pattern: `${"*a".repeat(40)}b`, path: "a".repeat(4000) },
  { name: "folders", pattern: `${"**/a/".repeat(30)}b`, path: "a/".repeat(1000) },
  { name: "alternatives", pattern: `${"{a,a}".repeat(60)}b`, path: "a".repeat(60) },
  { name: "empty alternatives", pattern: `${"{,}".repeat(60)}b`, path: "a" },
])("PF-06: $name in a pattern of a model or of a stranger's .gitignore", ({ pattern, path }) => {
  expect(compileGlob(pattern)(path)).toBe(false);
  expect(isIgnored(path, false, [parseIgnoreFile(pattern, "")])).toBe(false);
});

test("PF-06: a search pattern with repeats in repeats ends with advice", async () => {
  const environment = createMemoryEnvironment({ files: { "/w/a": `${"a".repeat(50_000)}!` } });
  const grep = createGrepTool({ cwd: "/w", environment });
  expect(await runTool(grep, { pattern: "(a+)+$" })).toMatchObject({
    isError: true,
    text: "The search took too long. Use a simpler pattern, without repeats in repeats.",
  });
  expect((await runTool(grep, { pattern: "a!$" })).isError).toBe(false);
});
