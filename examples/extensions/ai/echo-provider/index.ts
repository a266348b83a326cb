import type { Model } from "@coppice/ai";
import type { Extension } from "@coppice/coding-agent";
import { echo } from "./echo.ts";

const model: Model = {
  ...{ id: "parrot", name: "Parrot", provider: "echo", api: "echo", baseUrl: "http://localhost" },
  ...{ reasoning: false, input: ["text"], contextWindow: 100_000, maxTokens: 10_000 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

const echoProvider: Extension = {
  name: "echo-provider",
  setup(api) {
    api.registerProvider(echo);
    api.registerModel(model);
  },
};

export default echoProvider;
