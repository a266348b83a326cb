import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { createCodingAgent } from "@coppice/coding-agent";
import { JsonlRepo } from "@coppice/session";
import { Type } from "typebox";

// A process to be killed: its tool says that it runs and never returns.
const [directory = "", cwd = ""] = process.argv.slice(2);
const session = await new JsonlRepo({ directory }).create({ cwd });
const agent = await createCodingAgent({
  cwd,
  session,
  model: scriptedModel(),
  streamFunction: scriptedStream([scriptedToolCall("hang", {}, "call-1")]),
  tools: [
    {
      name: "hang",
      description: "Hangs.",
      parameters: Type.Object({}),
      execute: () => {
        console.log(session.id);
        // Keeps the process alive until it is killed.
        setInterval(() => undefined, 1000);
        return new Promise(() => undefined);
      },
    },
  ],
});
await agent.prompt("hang around");
