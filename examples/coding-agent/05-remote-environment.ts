import { fork } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { createCodingAgent } from "@coppice/coding-agent";
import { createRemoteEnvironment } from "./remote/remote-environment.ts";

const cwd = await mkdtemp(join(tmpdir(), "coppice-example-"));
await writeFile(join(cwd, "wood.txt"), "oak\nash\n");

// Another process stands for another machine: the agent touches files and commands through this channel only.
const host = fork(join(import.meta.dirname, "remote", "host.ts"), { serialization: "advanced" });
const environment = createRemoteEnvironment(host);
const agent = await createCodingAgent({
  ...{ cwd, environment, model: scriptedModel() },
  streamFunction: scriptedStream([
    scriptedToolCall("read", { path: "wood.txt" }),
    scriptedToolCall("read", { path: "nothing.txt" }),
    scriptedToolCall("edit", { path: "wood.txt", edits: [{ oldText: "ash", newText: "elm" }] }),
    scriptedToolCall("grep", { pattern: "elm" }),
    scriptedToolCall("bash", { command: "sort wood.txt; exit 3" }),
    "Done.",
  ]),
});
agent.subscribe((event) => {
  if (event.type !== "tool_execution_end") return;
  const [block] = event.result.content;
  const text =
    block?.type === "text"
      ? block.text
          .replaceAll(cwd, "…")
          .trim()
          .replaceAll(/\s*\n\s*/g, " | ")
      : "";
  console.log(`${event.toolName}${event.isError ? " failed" : ""}: ${text}`);
});
await agent.prompt("Replace the ash.");
console.log(`on the other side: ${JSON.stringify(await readFile(join(cwd, "wood.txt"), "utf8"))}`);
await agent.dispose();
host.disconnect();
await rm(cwd, { recursive: true });
