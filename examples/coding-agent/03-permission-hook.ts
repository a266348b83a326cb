import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import {
  createBuiltinTools,
  createCodingAgent,
  type Extension,
  PermissionGuard,
} from "@coppice/coding-agent";
import { createMemoryEnvironment } from "@coppice/coding-agent/testing";

// A rule of one's own: a hook. If it throws, the call stays blocked.
const noLockFiles: Extension = {
  name: "no-lock-files",
  setup(api) {
    api.on("tool_call", ({ input }) =>
      String(input.path).endsWith("lock.yaml")
        ? { block: true, reason: "Lock files are written by the package manager." }
        : undefined,
    );
  },
};

const cwd = "/wood";
const environment = createMemoryEnvironment({ files: { "/wood/a.txt": "oak\n" } });
// The policy behind all hooks: reading passes, rules decide, the rest is asked for.
const permissions = new PermissionGuard({
  ...{ cwd, files: environment.files, mode: "ask" },
  rules: { allow: ["write(notes/**)"], deny: ["bash(rm *)"] },
  ask: async ({ tool, input, suggestedRule }) => {
    console.log(`asked: ${tool} ${String(input.path ?? input.command)}, always by ${suggestedRule}`);
    return { decision: tool === "write" ? "allow" : "deny" };
  },
});
const agent = await createCodingAgent({
  ...{ cwd, environment, permissions, model: scriptedModel(), extensions: [noLockFiles] },
  tools: createBuiltinTools({ cwd, environment }),
  streamFunction: scriptedStream([
    scriptedToolCall("read", { path: "a.txt" }),
    scriptedToolCall("write", { path: "lock.yaml", content: "" }),
    scriptedToolCall("write", { path: "notes/b.txt", content: "ash" }),
    scriptedToolCall("write", { path: "c.txt", content: "elm" }),
    scriptedToolCall("bash", { command: "git status && rm -r notes" }),
    scriptedToolCall("bash", { command: "make" }),
    "Done.",
  ]),
});
agent.subscribe((event) => {
  if (event.type !== "tool_execution_end") return;
  const [block] = event.result.content;
  const reason = event.isError && block?.type === "text" ? `refused: ${block.text.split("\n")[0]}` : "ran";
  console.log(`${event.toolName} ${reason}`);
});
await agent.prompt("Try everything.");
await agent.dispose();
