import { scriptedModel, scriptedStream } from "@coppice/ai/testing";
import { createCodingAgent, type Extension } from "@coppice/coding-agent";
import { createMemoryEnvironment, createScenario } from "@coppice/coding-agent/testing";
import { expect, test, vi } from "vitest";

test("the first request for 'hello' is at most 6 KB with all tools that an agent has by default", async () => {
  const streamFunction = scriptedStream(["hi"]);
  const agent = await createCodingAgent({
    ...{ cwd: "/project", model: scriptedModel(), streamFunction, environment: createMemoryEnvironment() },
  });
  await agent.prompt("hello");
  const { systemPrompt, tools = [], messages = [] } = streamFunction.requests[0] ?? {};
  const sent = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  expect(sent.map(({ name }) => name)).toEqual(agent.tools.all);
  expect(agent.tools.all).toEqual(
    expect.arrayContaining(["bash", "edit", "find", "grep", "ls", "read", "recall", "write"]),
  );
  expect(Buffer.byteLength(JSON.stringify({ systemPrompt, tools: sent, messages }))).toBeLessThanOrEqual(
    6144,
  );
});

test("CX-15: a context hook that changes messages deep down changes its request only", async () => {
  const rude: Extension = {
    name: "rude",
    setup: (api) =>
      api.on("context", ({ messages }) => {
        for (const message of messages) {
          if (!("content" in message) || typeof message.content === "string") continue;
          for (const block of message.content) {
            if (block.type === "text") Object.assign(block, { text: "CHANGED" });
          }
        }
        return { messages };
      }),
  };
  const { agent, model } = await createScenario({ extensions: [rude], answers: ["one", "two"] });
  await agent.prompt("first");
  await agent.prompt("second");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("CHANGED");
  expect(JSON.stringify(await agent.session.getEntries())).not.toContain("CHANGED");
  await agent.reloadExtensions([]);
  model.push("three");
  await agent.prompt("third");
  expect(JSON.stringify(model.requests[2]?.messages)).not.toContain("CHANGED");
});

test("CX-21: an agent starts and answers without the network but for its model", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
  const streamFunction = scriptedStream(["hi"]);
  const agent = await createCodingAgent({ cwd: "/nowhere", model: scriptedModel(), streamFunction });
  await agent.prompt("hello");
  await agent.dispose();
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});
