import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const kinds = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, "0")}`);
const reports = (...numbers: readonly number[]): readonly string[] => numbers.map((number) => `B${number}`);

/** Every fault of the public record in the area of this package (B: a report, the others a kind). */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  "edit and write": reports(149, 152, 154, 156, 158, 159, 160, 161, 163, 164, 166, 168, 169),
  "the bash tool": reports(170, 172, 174, 175, 176, 177, 178, 180, 181, 183, 184),
  "read and search tools": reports(185, 188, 189, 191, 193, 194, 195),
  "skills and resources": reports(220, 222, 223, 224, 225, 226, 227),
  "hooks and extensions": reports(229, 232, 233, 234, 235, 236),
  "the tool registry and MCP": [...reports(238, 240, 241), ...kinds("MC", 6)],
  security: reports(243, 245, 246, 248, 251, 253, 254),
  tools: kinds("TO", 34),
  "context, settings, extensions": kinds("CX", 24),
  keys: kinds("AU", 9),
  "memory and matching": ["PF-04", "PF-06"],
};

const root = join(import.meta.dirname, "../../..");
const FOLDERS = [
  "packages/agent/src",
  "packages/coding-agent/src",
  "packages/coding-agent/test",
  "apps/cli",
  "e2e",
];

function testTexts(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : testTexts(path);
    return entry.name.endsWith(".test.ts") && path !== import.meta.filename
      ? [readFileSync(path, "utf8")]
      : [];
  });
}

const texts = FOLDERS.flatMap((folder) => testTexts(join(root, folder)));

test.each(Object.entries(FAULTS))("every fault of %s has a test that names it", (_, ids) => {
  const silent = ids.filter((id) => !texts.some((text) => text.includes(id)));
  expect(silent).toEqual([]);
});
