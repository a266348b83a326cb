import { expect, test } from "vitest";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createBuiltinTools } from "../builtin-tools.ts";

test("a command names the files that it made, changed and removed, and no others", async () => {
  const initial = { "/w/.gitignore": "ignored", "/w/a": "a", "/w/b": "b", "/w/same": "s", "/w/sub/c": "c" };
  const environment = createMemoryEnvironment({
    files: initial,
    shell: {
      run: async () => {
        environment.files.put("/w/a", new TextEncoder().encode("changed"));
        environment.files.put("/w/new", new Uint8Array());
        environment.files.put("/w/ignored", new Uint8Array());
        environment.files.remove("/w/sub/c");
        return { exitCode: 0, signal: undefined, reason: "exited" };
      },
    },
  });
  const tools = createBuiltinTools({ cwd: "/w", environment });
  const call = async (name: string, params: object) => {
    const tool = tools.find((one) => one.name === name);
    return tool === undefined ? undefined : runTool(tool, params);
  };
  expect((await call("bash", { command: "x" }))?.details).toEqual({
    exitCode: 0,
    durationMs: 0,
    modifiedFiles: ["a", "new", "sub/c"],
  });
  environment.files.put("/w/sub/c", new Uint8Array());
  await call("write", { path: "b", content: "by the agent itself" });
  expect((await call("bash", { command: "x" }))?.details).toMatchObject({ modifiedFiles: ["a", "new"] });
});
