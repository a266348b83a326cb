import type { Model } from "../model.ts";

/** A model for tests: a round window and prices, thinking and images on; `overrides` replace fields. */
export function scriptedModel(overrides: Partial<Model> = {}): Model {
  return {
    id: "scripted-1",
    name: "Scripted",
    api: "scripted",
    provider: "scripted",
    baseUrl: "http://127.0.0.1",
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 200_000,
    maxTokens: 8_192,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    ...overrides,
  };
}
