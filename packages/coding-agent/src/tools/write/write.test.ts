import { expect, test } from "vitest";
import { changedFiles } from "../../testing/changed-files.ts";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createWriteTool } from "./tool.ts";

const contentOf = async (environment: ReturnType<typeof createMemoryEnvironment>, path: string) =>
  new TextDecoder().decode(await environment.files.readFile(path));

test.each([
  { code: "EACCES", text: "a/b.txt cannot be accessed: permission denied." },
  { code: "EROFS", text: "a/b.txt is on a read-only file system." },
  { code: "ENOSPC", text: "a/b.txt cannot be written: no space left on the disk." },
])("TO-07: a write that fails with $code says why, and the old content stays", async ({ code, text }) => {
  const { files, ...rest } = createMemoryEnvironment({ files: { "/w/a/b.txt": "old" } });
  const failing = changedFiles(files, {
    writeFile: async () => {
      throw Object.assign(new Error(code), { code });
    },
  });
  const environment = { ...rest, files: failing };
  const outcome = await runTool(createWriteTool({ cwd: "/w", environment }), {
    path: "a/b.txt",
    content: "new",
  });
  expect(outcome).toMatchObject({ isError: true, text });
  expect(await contentOf({ ...rest, files }, "/w/a/b.txt")).toBe("old");
});

test("TO-07: a file that may not be written is not replaced", async () => {
  const environment = createMemoryEnvironment();
  environment.files.put("/w/a", new TextEncoder().encode("old"), 0o444);
  const outcome = await runTool(createWriteTool({ cwd: "/w", environment }), { path: "a", content: "new" });
  expect(outcome).toMatchObject({ isError: true, text: "a cannot be accessed: permission denied." });
  expect(await contentOf(environment, "/w/a")).toBe("old");
});
