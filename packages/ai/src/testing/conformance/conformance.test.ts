import { describe, test } from "vitest";
import { createProvider as anthropicMessages } from "../../providers/anthropic-messages/index.ts";
import { createProvider as openaiCompletions } from "../../providers/openai-completions/index.ts";
import { providerConformance } from "./conformance.ts";

describe.each([
  { api: "anthropic-messages", createProvider: anthropicMessages },
  { api: "openai-completions", createProvider: openaiCompletions },
])("$api", ({ createProvider }) => {
  test.each(providerConformance)("$name", async ({ run }) => {
    await run({ provider: createProvider() });
  });
});
