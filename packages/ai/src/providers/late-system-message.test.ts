import { expect, test } from "vitest";
import { TARGET } from "../../test/arbitrary-history.ts";
import { repairHistory } from "../repair/repair-history.ts";
import type { ChatRequest } from "../request.ts";
import { createProvider as anthropic } from "./anthropic-messages/index.ts";
import { createProvider as google } from "./google-generative-ai/index.ts";
import { createProvider as completions } from "./openai-completions/index.ts";
import { createProvider as responses } from "./openai-responses/index.ts";

const REQUEST: ChatRequest = {
  model: { ...TARGET, reasoning: false, quirks: { supportsMidConvoSystemMessages: true } },
  systemPrompt: "base",
  messages: [
    { role: "user", content: "go", timestamp: 1 },
    { role: "system", content: "late", timestamp: 2 },
  ],
  cacheRetention: "none",
};

test.each([
  {
    provider: anthropic(),
    body: {
      system: [{ type: "text", text: "base" }],
      messages: [
        { role: "user", content: [{ type: "text", text: "go" }] },
        { role: "system", content: [{ type: "text", text: "late" }] },
      ],
    },
  },
  {
    provider: responses(),
    body: {
      instructions: "base",
      input: [
        { role: "user", content: [{ type: "input_text", text: "go" }] },
        { role: "developer", content: [{ type: "input_text", text: "late" }] },
      ],
    },
  },
  {
    provider: completions(),
    body: {
      messages: [
        { role: "system", content: "base" },
        { role: "user", content: "go" },
        { role: "system", content: "late" },
      ],
    },
  },
  {
    // The API knows one instruction for all.
    provider: google(),
    body: {
      systemInstruction: { parts: [{ text: "base\n\nlate" }] },
      contents: [{ role: "user", parts: [{ text: "go" }] }],
    },
  },
])("$provider.api: a late system message stands where the format has a place for it", async (row) => {
  let body: unknown;
  const io = {
    now: () => 0,
    newId: () => "id",
    fetch: async (_url: unknown, init?: RequestInit) => {
      body = JSON.parse(String(init?.body));
      return new Response("");
    },
  };
  const model = { ...REQUEST.model, api: row.provider.api };
  await row.provider.stream(repairHistory({ ...REQUEST, model }, row.provider), io).result();
  expect(body).toMatchObject(row.body);
});
