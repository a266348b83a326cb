import { expect, test } from "vitest";
import { parseModelsFile } from "./models-file.ts";

const parse = (value: unknown) => parseModelsFile(JSON.stringify(value), "/h/models.json");
const provider = { baseUrl: "http://localhost:1/v1", models: [{ id: "m" }] };

test("a provider with an address and a model is enough", () => {
  expect(parse({ providers: { local: provider } })).toEqual({
    models: [
      {
        id: "m",
        name: "m",
        provider: "local",
        api: "openai-completions",
        baseUrl: "http://localhost:1/v1",
        reasoning: false,
        input: ["text"],
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ],
    keys: new Map([["local", { kind: "none" }]]),
  });
});

test("every field of a model is taken over, with a byte order mark in front of the file", () => {
  const text = JSON.stringify({
    providers: {
      a: {
        ...provider,
        api: "anthropic-messages",
        apiKey: "$MY_KEY",
        headers: { "x-a": "b" },
        models: [
          {
            id: "m",
            name: "M",
            reasoning: true,
            images: true,
            contextWindow: 8_000,
            maxTokens: 1_000,
            cost: { input: 1, output: 2 },
          },
        ],
      },
    },
  });
  expect(parseModelsFile(`\uFEFF${text}`, "/h/models.json")).toEqual({
    models: [
      {
        id: "m",
        name: "M",
        provider: "a",
        api: "anthropic-messages",
        baseUrl: "http://localhost:1/v1",
        reasoning: true,
        input: ["text", "image"],
        contextWindow: 8_000,
        maxTokens: 1_000,
        cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
        headers: { "x-a": "b" },
      },
    ],
    keys: new Map([["a", { kind: "variable", name: "MY_KEY" }]]),
  });
});

test.each([
  { apiKey: undefined, expected: { kind: "none" } },
  { apiKey: "sk-1", expected: { kind: "literal", key: "sk-1" } },
  { apiKey: "$A_1", expected: { kind: "variable", name: "A_1" } },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of the file.
  { apiKey: "${A_1}", expected: { kind: "variable", name: "A_1" } },
  { apiKey: "$a-b", expected: { kind: "literal", key: "$a-b" } },
])("the key $apiKey comes from $expected.kind", ({ apiKey, expected }) => {
  expect(parse({ providers: { a: { ...provider, apiKey } } }).keys.get("a")).toEqual(expected);
});

test.each([
  { value: [], message: "/h/models.json: the file must be an object, but is []" },
  { value: { providers: [] }, message: "providers must be an object, but is []" },
  { value: { providers: { a: {} } }, message: "providers.a.models must be a list, but is missing" },
  {
    value: { providers: { a: { models: [{ id: "m" }] } } },
    message: "providers.a.baseUrl must be a text, but is missing",
  },
  {
    value: { providers: { a: { ...provider, baseUrl: "file:///x" } } },
    message: 'providers.a.baseUrl must be an http or https address, but is "file:///x"',
  },
  {
    value: { providers: { a: { ...provider, models: [{ id: "m" }, { id: 3 }] } } },
    message: "providers.a.models[1].id must be a text, but is 3",
  },
  {
    value: { providers: { a: { ...provider, models: [{ id: "m", contextWindow: 0.5 }] } } },
    message: "providers.a.models[0].contextWindow must be a whole number of tokens above 0, but is 0.5",
  },
  {
    value: { providers: { a: { ...provider, models: [{ id: "m", cost: { input: -1 } }] } } },
    message: "providers.a.models[0].cost.input must be a price of 0 or more, but is -1",
  },
  {
    value: { providers: { a: { ...provider, headers: { x: 1 } } } },
    message: "providers.a.headers.x must be a text, but is 1",
  },
])("names the place of $message", ({ value, message }) => {
  const error = expect.objectContaining({
    code: "invalid_config",
    message: expect.stringContaining(message),
  });
  expect(() => parse(value)).toThrow(error);
});

test("a file that is not JSON is named, and a key in it is not repeated", () => {
  expect(() => parseModelsFile("{", "/h/models.json")).toThrow(/^\/h\/models\.json is not JSON: /);
});
