import { describe, expect, test } from "vitest";
import { findModel } from "./find-model.ts";
import { modelName } from "./model.ts";
import { matchModel } from "./model-pattern.ts";
import { createModelRegistry, mergeModels } from "./model-registry.ts";
import { supportedThinkingLevels } from "./thinking.ts";

describe("a model is found by", () => {
  test.each([
    ["its full name", "anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5"],
    ["its full name in other letters", "Anthropic/Claude-Opus-5-5", "anthropic/claude-opus-5-5"],
    ["its id", "gpt-5.4-mini", "openai/gpt-5.4-mini"],
    ["a full name with a slash in the id", "groq/openai/gpt-oss-120b", "groq/openai/gpt-oss-120b"],
    ["a word, the newest of the vendor", "sonnet", "anthropic/claude-sonnet-5-5"],
    ["a pattern", "gemini-3.8*", "google/gemini-3.8-flash"],
    ["a pattern with a provider", "anthropic/*haiku-4-5", "anthropic/claude-haiku-4-5"],
  ])("CL-03: %s", async (_name, pattern, name) => {
    const choice = await findModel(pattern);
    expect({ name: modelName(choice.model), level: choice.thinkingLevel }).toEqual({
      name,
      level: undefined,
    });
  });

  test("CL-03: a name with a thinking level", async () => {
    const choice = await findModel("sonnet:high");
    expect([modelName(choice.model), choice.thinkingLevel]).toEqual(["anthropic/claude-sonnet-5-5", "high"]);
  });

  test("CL-03: an id that holds a colon itself", async () => {
    const models = await createModelRegistry().list("openrouter");
    const free = models.find(({ id }) => id.includes(":free"));
    expect(free).toBeDefined();
    expect((await findModel(`openrouter/${free?.id}`)).model.id).toBe(free?.id);
  });
});

test("a miss names the closest models", async () => {
  await expect(findModel("claude-sonet-5")).rejects.toMatchObject({
    code: "unknown_model",
    message: expect.stringContaining("anthropic/claude-sonnet-5"),
  });
});

test("CL-03: a pattern that fits several newest models names them", async () => {
  await expect(findModel("gpt-6*")).rejects.toMatchObject({
    code: "ambiguous_model",
    message: '"gpt-6*" fits several models: openai/gpt-6.2-astra, openai/gpt-6.2-sol.',
  });
});

describe("CL-03: an id that reads like something else:", () => {
  const models = [
    "local/qwen[1m]",
    "local/qwen1",
    "local/a.b+c",
    "local/aXb+c",
    "near/glm-5",
    "far/glm-5",
    "far/near/glm-5",
    "vendor/plain:high",
    "vendor/plain",
  ].flatMap((name) => {
    const at = name.indexOf("/");
    const provider = name.slice(0, at);
    return mergeModels(provider, [], { baseUrl: "http://here", models: [{ id: name.slice(at + 1) }] });
  });

  test.each([
    { name: "brackets, as an id", pattern: "qwen[1m]", found: "local/qwen[1m]" },
    { name: "brackets, as a full name", pattern: "LOCAL/qwen[1M]", found: "local/qwen[1m]" },
    { name: "brackets in a pattern are no glob", pattern: "qwen[1*", found: "local/qwen[1m]" },
    { name: "a lone bracket", pattern: "[1m", found: "local/qwen[1m]" },
    { name: "signs of a regular expression in a pattern", pattern: "a.b+*", found: "local/a.b+c" },
    {
      name: "a full name goes before an equal id of another provider",
      pattern: "near/glm-5",
      found: "near/glm-5",
    },
    { name: "an id with a slash under its provider", pattern: "far/near/glm-5", found: "far/near/glm-5" },
    { name: "an id that ends like a level", pattern: "plain:high", found: "vendor/plain:high" },
    { name: "a level after it", pattern: "plain:high:low", found: "vendor/plain:high", level: "low" },
    { name: "a level that no id ends in", pattern: "plain:low", found: "vendor/plain", level: "low" },
  ])("$name", ({ pattern, found, level }) => {
    const choice = matchModel(pattern, models);
    expect([modelName(choice.model), choice.thinkingLevel]).toEqual([found, level]);
  });

  test("the same id at two providers is an error that lists both", () => {
    expect(() => matchModel("glm-5", models)).toThrow(
      expect.objectContaining({
        code: "ambiguous_model",
        data: { candidates: ["near/glm-5", "far/glm-5"] },
      }),
    );
  });
});

test("an empty name is a miss", async () => {
  await expect(findModel("")).rejects.toMatchObject({ code: "unknown_model" });
});

describe("AI-56: a user's models", () => {
  const registry = createModelRegistry({
    providers: {
      local: { baseUrl: "http://localhost:11434/v1", models: [{ id: "qwen" }] },
      anthropic: {
        baseUrl: "http://proxy",
        modelOverrides: { "claude-opus-5": { contextWindow: 5 } },
        models: [{ id: "mine" }],
      },
    },
  });

  test("need an id and get the defaults", async () => {
    expect((await registry.find("local/qwen")).model).toEqual({
      id: "qwen",
      name: "qwen",
      api: "openai-completions",
      provider: "local",
      baseUrl: "http://localhost:11434/v1",
      reasoning: false,
      input: ["text"],
      contextWindow: 128_000,
      maxTokens: 16_384,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test("join the known ones, whose fields they change one by one", async () => {
    const { model } = await registry.find("anthropic/claude-opus-5");
    const [known] = (await createModelRegistry().list("anthropic")).filter(
      ({ id }) => id === "claude-opus-5",
    );
    expect(model).toEqual({ ...known, baseUrl: "http://proxy", contextWindow: 5 });
    expect((await registry.find("anthropic/mine")).model).toMatchObject({
      api: "anthropic-messages",
      baseUrl: "http://proxy",
    });
  });

  test("without an address are refused with what is missing", () => {
    expect(() => mergeModels("x", [], { models: [{ id: "m" }] })).toThrow(
      'The provider "x" of the model "m" has no baseUrl.',
    );
  });

  test("can be preferred without hiding the rest", async () => {
    const among = ({ provider }: { provider: string }) => provider === "local";
    expect((await registry.find("qwen", { among })).model.provider).toBe("local");
    expect((await registry.find("sonnet", { among })).model.provider).toBe("anthropic");
  });
});

test("CL-03: a plain id comes before its variants", async () => {
  const models = (await createModelRegistry().list("openrouter")).filter(({ id }) =>
    id.startsWith("anthropic/claude-fable-5.2"),
  );
  expect(models.map(({ id }) => id)).toContain("anthropic/claude-fable-5.2:batch");
  expect(matchModel("fable-5.2", models).model.id).toBe("anthropic/claude-fable-5.2");
  expect(matchModel("fable-5.2:batch", models).model.id).toBe("anthropic/claude-fable-5.2:batch");
});

test("every known model is whole: positive sizes, prices of 0 or more, a level it can think at", async () => {
  const broken = (await createModelRegistry().list()).filter(
    (model) =>
      !(model.contextWindow > 0 && model.maxTokens > 0 && URL.canParse(model.baseUrl)) ||
      Object.values(model.cost).some((price) => typeof price === "number" && price < 0) ||
      supportedThinkingLevels(model).length === 0,
  );
  expect(broken.map(modelName)).toEqual([]);
});

test.each([
  { name: "sonet", closest: "anthropic/claude-sonnet-5" },
  { name: "gpt5", closest: "openai/gpt-5" },
  { name: "gemni", closest: "google/gemini-" },
  { name: "deepsek", closest: "deepseek/deepseek-" },
  { name: "grok4", closest: "xai/grok-4" },
])("a misspelt $name names models like $closest first", async ({ name, closest }) => {
  const models = await createModelRegistry().list();
  expect(() => matchModel(name, models)).toThrow(`There is no model "${name}". Closest: ${closest}`);
});
