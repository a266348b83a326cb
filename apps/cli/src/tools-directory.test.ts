import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolsDirectory } from "./tools-directory.ts";

test("B027: tools work in the session's directory, and in the current one where that is gone or no directory", async () => {
  const there = tmpdir();
  expect(await toolsDirectory(there, "/current")).toBe(there);
  expect(await toolsDirectory(join(there, "gone-for-good"), "/current")).toBe("/current");
  expect(await toolsDirectory(import.meta.filename, "/current")).toBe("/current");
  expect(await toolsDirectory("relative", "/current")).toBe("/current");
});
