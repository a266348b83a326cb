import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@coppice/ai";
import { createCodingAgent } from "@coppice/coding-agent";
import { createDemoProvider, DEMO_MODEL } from "@coppice/coding-agent/demo";

const cwd = await mkdtemp(join(tmpdir(), "coppice-example-"));
await writeFile(join(cwd, "wood.ts"), "// A wood.\nexport function plant() {}\n");

// The built-in offline model; any other is a provider more in this list.
const client = createClient({ providers: { [DEMO_MODEL.api]: createDemoProvider() } });
const agent = await createCodingAgent({ cwd, model: DEMO_MODEL, streamFunction: client.stream });
agent.subscribe((event) => {
  if (event.type === "tool_execution_start") console.log(`\n[${event.toolName}]`);
  if (event.type === "message_update" && event.event.type === "text_delta") {
    process.stdout.write(event.event.delta);
  }
});
await agent.prompt("where is plant defined?");
await agent.dispose();
await rm(cwd, { recursive: true });
