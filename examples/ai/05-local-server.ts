import { builtinProviders, createClient, createModelRegistry, textOf } from "@coppice/ai";
import { createWireServer } from "@coppice/ai/testing";

// Stands for Ollama, llama.cpp, LM Studio or vLLM, which all speak the Chat Completions format.
await using server = await createWireServer({ answers: ["Hello from next door."] });

const registry = createModelRegistry({
  providers: {
    local: {
      baseUrl: server.baseUrl("openai-completions"),
      // What the server takes beyond the common fields is data.
      quirks: { supportsUsageInStreaming: true },
      models: [{ id: "qwen3:8b", contextWindow: 32_768 }],
    },
  },
});
const { model } = await registry.find("local/qwen3:8b");
const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });

const answer = await client.complete({
  model,
  messages: [{ role: "user", content: "Hello?", timestamp: Date.now() }],
});
console.log(`${model.provider}/${model.id} over ${model.api}: ${textOf(answer.content)}`);
console.log(`tokens counted: ${answer.usage.totalTokens > 0}`);

// A name that means nothing says what was meant.
await registry.find("local/qwen8:3b").catch((error: Error) => console.log(error.message));
