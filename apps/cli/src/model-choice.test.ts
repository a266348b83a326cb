import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelName } from "@coppice/ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "./env.ts";
import { loadKnownModels } from "./known-models.ts";
import { chooseModel, defaultModel } from "./model-choice.ts";

async function knownWith({
  variables = {},
  file,
  auth,
}: {
  readonly variables?: Readonly<Record<string, string>>;
  readonly file?: object;
  readonly auth?: string;
}) {
  const folder = await mkdtemp(join(tmpdir(), "coppice-models-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modelsFile = join(folder, "models.json");
  if (file !== undefined) await writeFile(modelsFile, JSON.stringify(file));
  const authFile = join(folder, "auth.json");
  if (auth !== undefined) await writeFile(authFile, auth);
  const places = { userDirectory: folder, modelsFile, authFile };
  return loadKnownModels({ environment: readEnvironment(variables), places, onRenewal: () => {} });
}

const local = { providers: { local: { baseUrl: "http://localhost:1/v1", models: [{ id: "qwen" }] } } };

describe("the default model", () => {
  test("is none without a key: the demo is never taken unasked", async () => {
    expect(await defaultModel(await knownWith({}))).toBeUndefined();
  });

  test.each([
    {
      name: "that of the provider with a key",
      variables: { ANTHROPIC_API_KEY: "k" },
      expected: /^anthropic\/claude-/,
    },
    {
      name: "an own one before all",
      variables: { ANTHROPIC_API_KEY: "k" },
      file: local,
      expected: /^local\/qwen$/,
    },
  ])("is $name", async ({ variables, file, expected }) => {
    const model = await defaultModel(await knownWith({ variables, ...(file === undefined ? {} : { file }) }));
    expect(model && modelName(model)).toMatch(expected);
  });

  test.each(["ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY", "GROQ_API_KEY", "ZAI_API_KEY"])(
    "exists in the catalogue for %s",
    async (name) => {
      expect(await defaultModel(await knownWith({ variables: { [name]: "k" } }))).toBeDefined();
    },
  );
});

describe("the model of a run", () => {
  test("is the demo by its name, whatever else there is", async () => {
    const known = await knownWith({ variables: { ANTHROPIC_API_KEY: "k" }, file: local });
    expect((await chooseModel({ known, pattern: "demo" })).model.provider).toBe("coppice");
  });

  test("CL-03: is one whose provider has a key before others of the same name", async () => {
    const known = await knownWith({ variables: { GROQ_API_KEY: "k" } });
    const { model, thinkingLevel } = await chooseModel({ known, pattern: "gpt-oss-120b:high" });
    expect([model.provider, thinkingLevel]).toEqual(["groq", "high"]);
  });

  const twice = {
    providers: {
      ...local.providers,
      other: { baseUrl: "http://localhost:2/v1", models: [{ id: "qwen" }] },
      router: {
        baseUrl: "http://localhost:3/v1",
        models: [{ id: "anthropic/claude-sonnet-5-5" }, { id: "mine" }],
      },
    },
  };

  test.each([
    {
      name: "whose id begins like a provider without a key",
      pattern: "anthropic/claude-sonnet-5-5",
      expected: "router/anthropic/claude-sonnet-5-5",
    },
    {
      name: "that the prefix names, once that provider has a key",
      pattern: "anthropic/claude-sonnet-5-5",
      variables: { ANTHROPIC_API_KEY: "k" },
      expected: "anthropic/claude-sonnet-5-5",
    },
    {
      name: "of the provider that is named, of two with the same id",
      pattern: "other/qwen",
      expected: "other/qwen",
    },
  ])("CL-03: is the one $name", async ({ pattern, variables = {}, expected }) => {
    const known = await knownWith({ variables, file: twice });
    expect(modelName((await chooseModel({ known, pattern })).model)).toBe(expected);
  });

  test("CL-03: is an error that lists both, where two providers with a key have the same id", async () => {
    const choose = chooseModel({ known: await knownWith({ file: twice }), pattern: "qwen" });
    await expect(choose).rejects.toMatchObject({
      code: "ambiguous_model",
      data: { candidates: ["local/qwen", "other/qwen"] },
    });
  });

  test("CL-03: without its key is an error that names the variable", async () => {
    const choose = chooseModel({ known: await knownWith({}), pattern: "anthropic/claude-sonnet-5-5" });
    await expect(choose).rejects.toMatchObject({
      exitCode: 3,
      message: "There is no key for anthropic",
      advice: "Set ANTHROPIC_API_KEY in the environment.",
    });
  });

  test("is that of the session, and a session never moves to another vendor by itself", async () => {
    const known = await knownWith({ variables: { ANTHROPIC_API_KEY: "k" }, file: local });
    const resumed = await chooseModel({ known, sessionModel: { provider: "local", modelId: "qwen" } });
    expect(modelName(resumed.model)).toBe("local/qwen");
    await expect(
      chooseModel({ known, sessionModel: { provider: "server", modelId: "qwen" } }),
    ).rejects.toMatchObject({ exitCode: 2, advice: expect.stringContaining("--base-url") });
  });

  test("is named by the closest names when it is unknown", async () => {
    const choose = chooseModel({ known: await knownWith({}), pattern: "claude-sonet-5" });
    await expect(choose).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("claude-sonnet-5"),
    });
  });

  test("is named also where only a part of its name is near", async () => {
    const choose = chooseModel({ known: await knownWith({}), pattern: "dmeo" });
    await expect(choose).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("coppice/demo"),
    });
  });

  test("of a wire format that is not spoken is refused with those that are", async () => {
    const file = {
      providers: { a: { baseUrl: "http://localhost:1", api: "anthropic-message", models: [{ id: "x" }] } },
    };
    const choose = chooseModel({ known: await knownWith({ file }), pattern: "a/x" });
    await expect(choose).rejects.toMatchObject({
      exitCode: 2,
      message: 'a/x needs the wire format "anthropic-message"',
      advice: expect.stringMatching(/openai-completions.*; did you mean anthropic-messages\?$/),
    });
  });
});

describe("keys", () => {
  test("a stored key makes a provider usable and goes before the environment's", async () => {
    const auth = JSON.stringify({ anthropic: { type: "api_key", key: "stored" } });
    const known = await knownWith({ variables: { ANTHROPIC_API_KEY: "of the environment" }, auth });
    expect(await known.keyFor("anthropic")).toBe("stored");
    expect(await (await knownWith({ auth })).keyFor("openai")).toBeUndefined();
    expect(await defaultModel(await knownWith({ auth }))).toMatchObject({ provider: "anthropic" });
  });

  test("a stored key may be a command's output or a variable; the variable is told, so that commands do not get it", async () => {
    const auth = JSON.stringify({
      anthropic: { type: "api_key", key: "!printf from-a-command" },
      openai: { type: "api_key", key: "$MY_KEY" },
    });
    const known = await knownWith({ variables: { MY_KEY: "of mine", PATH: process.env.PATH ?? "" }, auth });
    expect(await known.keyFor("anthropic")).toBe("from-a-command");
    expect(await known.keyFor("openai")).toBe("of mine");
    expect(known.keyVariables).toEqual(["MY_KEY"]);
  });

  test("CL-17: a broken auth.json is one notice, and the environment's keys are used", async () => {
    const known = await knownWith({ variables: { ANTHROPIC_API_KEY: "k" }, auth: "{ broken" });
    expect(known.fileNotices).toEqual([expect.stringContaining("auth.json cannot be used")]);
    expect(await known.keyFor("anthropic")).toBe("k");
  });
});

test("the model of the settings comes after that of the session and before a default, and is as binding as a flag", async () => {
  const known = await knownWith({ variables: { OPENAI_API_KEY: "k" }, file: local });
  const { model } = await chooseModel({ known, settingsModel: "gpt-6.2-sol" });
  expect(modelName(model)).toBe("openai/gpt-6.2-sol");
  const sessionModel = { provider: "local", modelId: "qwen" };
  expect(modelName((await chooseModel({ known, sessionModel, settingsModel: "gpt-6.2-sol" })).model)).toBe(
    "local/qwen",
  );
  await expect(chooseModel({ known, settingsModel: "anthropic/claude-sonnet-5-5" })).rejects.toMatchObject({
    code: "no_key",
  });
});
