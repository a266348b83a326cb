import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createModelRegistry } from "@coppice/ai";
import { Errors } from "typebox/value";
import { expect, test } from "vitest";
import { parseModelsFile } from "./models-file.ts";
import { ModelsFileSchema, modelsJsonSchema } from "./schema.ts";

const path = "/h/models.json";
const parse = (value: unknown) => parseModelsFile(JSON.stringify(value), { path });
const provider = { baseUrl: "http://localhost:1/v1", models: [{ id: "m" }] };

test("a provider with an address and a model is enough, and only what stands in the file is given", () => {
  expect(parse({ providers: { local: provider } })).toEqual({
    providers: { local: { baseUrl: "http://localhost:1/v1", models: [{ id: "m" }] } },
    keys: new Map([["local", { kind: "none" }]]),
    logins: new Map(),
    notices: [],
  });
});

test("every field is taken over, with a byte order mark in front of the file", () => {
  const fields = {
    name: "M",
    api: "anthropic-messages",
    baseUrl: "http://localhost:2",
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 8_000,
    maxTokens: 1_000,
    headers: { "x-a": "b" },
    quirks: { supportsStore: false },
    thinkingLevels: { high: "max", off: null },
    imageLimits: { mimeTypes: ["image/png"], maxSidePx: 1568, maxImages: 1 },
  };
  const declared = {
    baseUrl: "http://localhost:1/v1",
    api: "openai-completions",
    headers: { "x-c": "d" },
    quirks: { a: 1 },
    models: [
      { id: "m", ...fields, cost: { input: 1, output: 2, tiers: [{ inputTokensAbove: 200_000, input: 3 }] } },
    ],
    modelOverrides: { n: { contextWindow: 5 } },
  };
  const value = { providers: { a: { ...declared, apiKey: "$MY_KEY" } } };
  const text = JSON.stringify(value);
  expect(Errors(ModelsFileSchema, value)).toEqual([]);
  expect(parseModelsFile(`\uFEFF${text}`, { path })).toEqual({
    providers: {
      a: {
        ...declared,
        models: [
          {
            id: "m",
            ...fields,
            cost: {
              ...{ input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
              tiers: [{ inputTokensAbove: 200_000, input: 3, output: 0, cacheRead: 0, cacheWrite: 0 }],
            },
          },
        ],
      },
    },
    keys: new Map([["a", { kind: "variable", name: "MY_KEY" }]]),
    logins: new Map(),
    notices: [],
  });
});

test.each([
  { fields: { images: true }, expected: ["text", "image"] },
  { fields: { images: false }, expected: ["text"] },
  { fields: { images: true, input: ["text"] }, expected: ["text"] },
  { fields: {}, expected: undefined },
])("$fields is understood as the input $expected", ({ fields, expected }) => {
  const parsed = parse({ providers: { a: { ...provider, models: [{ id: "m", ...fields }] } } });
  expect(parsed.providers.a?.models?.[0]?.input).toEqual(expected);
  expect(parsed.notices).toEqual([]);
});

test("a field that is not known is named with its place and the one that was guessed, and stops nothing", () => {
  const value = {
    provider: {},
    providers: {
      a: {
        ...provider,
        apikey: "x",
        models: [{ id: "m", context_window: 5, cost: { input: 1, outptu: 2 } }],
        modelOverrides: { n: { image: true, imageLimits: { max: 1 } } },
      },
    },
  };
  const parsed = parseModelsFile(JSON.stringify(value), {
    path,
    guessName: (written, known) => known.find((name) => name.toLowerCase().startsWith(written.slice(0, 4))),
  });
  expect(parsed.providers.a?.models).toEqual([
    { id: "m", cost: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } },
  ]);
  const file = "/h/models.json: ";
  expect(parsed.notices).toEqual([
    `${file}provider is not known and has no effect; did you mean "providers"?`,
    `${file}providers.a.apikey is not known and has no effect; did you mean "apiKey"?`,
    `${file}providers.a.models[0].context_window is not known and has no effect; did you mean "contextWindow"?`,
    `${file}providers.a.modelOverrides.n.image is not known and has no effect; did you mean "images"?`,
    `${file}providers.a.models[0].cost.outptu is not known and has no effect; did you mean "output"?`,
    `${file}providers.a.modelOverrides.n.imageLimits.max is not known and has no effect; did you mean "maxSidePx"?`,
  ]);
});

test("B253: a built-in provider keeps the vendor's key only while its address is the vendor's", () => {
  const parsed = parse({
    providers: { openai: { models: [{ id: "new" }] }, anthropic: { baseUrl: "http://proxy" } },
  });
  expect(parsed.keys).toEqual(new Map([["anthropic", { kind: "none" }]]));
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
  {
    value: { providers: { a: {} } },
    message: "providers.a.baseUrl must be an http or https address, but is missing",
  },
  {
    value: { providers: { a: { ...provider, models: {} } } },
    message: "providers.a.models must be a list, but is {}",
  },
  {
    value: { providers: { a: { ...provider, models: [{ id: "m", input: ["video"] }] } } },
    message: 'providers.a.models[0].input[0] must be one of text, image, but is "video"',
  },
  {
    value: { providers: { a: { models: [{ id: "m" }] } } },
    message: "providers.a.baseUrl must be an http or https address, but is missing",
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
    code: "invalid_setting",
    message: expect.stringContaining(message),
  });
  expect(() => parse(value)).toThrow(error);
});

test("where people log in with a provider is declared beside its address; one way to do so must be there", () => {
  const oauth = {
    clientId: "c",
    tokenUrl: "https://a.test/token",
    deviceUrl: "https://a.test/device",
    scope: "x y",
  };
  const declared = (more: object) => ({ providers: { a: { ...provider, oauth: { ...oauth, ...more } } } });
  expect(Errors(ModelsFileSchema, declared({}))).toEqual([]);
  expect(parse(declared({})).logins).toEqual(new Map([["a", oauth]]));
  expect(parse(declared({ clientid: "d" })).notices).toHaveLength(1);
  expect(() => parse(declared({ deviceUrl: undefined }))).toThrow(
    "providers.a.oauth.authorizationUrl must be an http or https address, but is missing",
  );
  expect(() => parse(declared({ tokenUrl: "javascript:x" }))).toThrow("providers.a.oauth.tokenUrl must be");
});

test("without a guess a notice lists what is known", () => {
  const { notices } = parse({
    providers: { a: { ...provider, models: [{ id: "m", imageLimits: { max: 1 } }] } },
  });
  expect(notices).toEqual([
    "/h/models.json: providers.a.models[0].imageLimits.max is not known and has no effect; known are mimeTypes, maxSidePx, maxBase64Bytes, maxImages, maxTotalBase64Bytes",
  ]);
});

test("the registry takes what the file declares", async () => {
  const { providers } = parse({ providers: { a: { ...provider, models: [{ id: "m", images: true }] } } });
  const [model] = await createModelRegistry({ providers }).list("a");
  expect(model).toMatchObject({
    id: "m",
    provider: "a",
    input: ["text", "image"],
    baseUrl: provider.baseUrl,
  });
});

test("the published schema is that of the parser", async () => {
  const published = await readFile(join(import.meta.dirname, "../../models.schema.json"), "utf8");
  expect(JSON.parse(published)).toEqual(modelsJsonSchema());
  for (const wrong of [{ providers: { a: { model: [] } } }, { providers: { a: { models: [{}] } } }]) {
    expect(Errors(ModelsFileSchema, wrong)).not.toEqual([]);
  }
});

test("a file that is not JSON is named", () => {
  expect(() => parseModelsFile("{", { path })).toThrow(/^\/h\/models\.json is not JSON: /);
});
