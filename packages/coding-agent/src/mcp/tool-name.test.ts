import fc from "fast-check";
import { expect, test } from "vitest";
import { mcpToolName, mcpToolPrefix } from "./tool-name.ts";

test.each([
  ["github", "create_issue", "mcp__github__create_issue"],
  ["my-server_2", "a__b", "mcp__my-server_2__a__b"],
])("%s and %s are %s", (server, tool, name) => {
  expect(mcpToolName(server, tool)).toBe(name);
});

test.each([
  ["a.b", "c d"],
  ["a__b", "c"],
  ["a_", "b"],
  ["a", "_b"],
  ["a", "b_0123abcd"],
  ["", ""],
  ["日本", "語"],
  ["a", "x".repeat(100)],
  ["s".repeat(100), "x"],
])("MC-01: %s and %s get a name with a hash", (server, tool) => {
  expect(mcpToolName(server, tool)).toMatch(/_[0-9a-f]{8}$/);
});

// Few letters, so that pairs that could be mixed up come often.
const part = fc.string({ unit: fc.constantFrom("a", "_", "-", ".", "0"), maxLength: 5 });
const anyPart = fc.oneof(part, fc.string({ maxLength: 90, unit: "grapheme" }));

test("MC-01: two pairs never share a name, and every name is one that providers take", () => {
  fc.assert(
    fc.property(anyPart, anyPart, anyPart, anyPart, (server, tool, otherServer, otherTool) => {
      const name = mcpToolName(server, tool);
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(name.startsWith(mcpToolPrefix(server))).toBe(true);
      const isSame = server === otherServer && tool === otherTool;
      expect(mcpToolName(otherServer, otherTool) === name).toBe(isSame);
    }),
    { numRuns: 3000 },
  );
});
