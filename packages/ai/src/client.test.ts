import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TARGET } from "../test/arbitrary-history.ts";
import { type ClientOptions, createClient } from "./client.ts";
import type { Model } from "./model.ts";

/** The modules that a script loads, as file URLs. */
function modulesOf(script: string): readonly string[] {
  const output = execFileSync(
    process.execPath,
    [
      "--conditions=@coppice/source",
      "--input-type=module",
      "-e",
      `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    const ai = await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
    ${script}
    console.log(JSON.stringify(urls));
  `,
    ],
    { encoding: "utf8" },
  );
  return JSON.parse(output);
}

const packagesOf = (urls: readonly string[]) => [
  ...new Set(urls.flatMap((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])),
];

test("importing the package loads no SDK, no validator, no catalogue and no other package at all", () => {
  const urls = modulesOf("");
  expect(packagesOf(urls)).toEqual([]);
  // What the formats say of images is data that the root hands out.
  const isLate = (url: string) => /\.generated\.|\/providers\/(?!.*images\.ts$)/.test(url);
  expect(urls.filter(isLate)).toEqual([]);
  expect(urls.length).toBeGreaterThan(10);
  expect(urls.length).toBeLessThan(60);
});

const DEPENDENCIES = ["@anthropic-ai/sdk", "eventsource-parser", "openai", "partial-json", "typebox"];

test.each([
  { api: "anthropic-messages", loads: ["@anthropic-ai/sdk", "eventsource-parser"] },
  { api: "openai-responses", loads: ["eventsource-parser", "openai"] },
  { api: "openai-completions", loads: ["eventsource-parser", "openai"] },
  { api: "google-generative-ai", loads: ["eventsource-parser"] },
])("the first request to $api adds only $loads", ({ api, loads }) => {
  const urls = modulesOf(`
    const client = ai.createClient({ providers: ai.builtinProviders, fetch: async () => new Response("") });
    const model = ${JSON.stringify({ ...TARGET, api })};
    await client.complete({ model, messages: [{ role: "user", content: "hi", timestamp: 1 }] });
  `);
  // What an SDK itself depends on comes with it.
  const own = packagesOf(urls)
    .filter((name) => DEPENDENCIES.includes(name))
    .sort();
  expect(own).toEqual(loads);
  expect(urls.filter((url) => url.includes(".generated."))).toEqual([]);
});

test("a model of an API that nobody speaks ends in an error that names those that are", async () => {
  const client = createClient({ providers: { one: async () => Promise.reject(new Error("never")) } });
  const message = await client.complete({
    model: { api: "two", provider: "p", id: "m" } as Model,
    messages: [],
  });
  expect(message).toMatchObject({
    stopReason: "error",
    error: { code: "unknown_provider", message: 'No provider speaks the API "two". Known: one.' },
  });
});

describe("AI-31, AI-32: an abort ends the wait for", () => {
  const forever = () => new Promise<never>(() => {});
  const model = { api: "one", provider: "p", id: "m" } as Model;
  test.each<{ name: string; options: ClientOptions }>([
    { name: "a provider that loads", options: { providers: { one: forever } } },
    {
      name: "a key",
      options: {
        providers: {
          one: {
            api: "one",
            stream: () => {
              throw new Error("No request may leave.");
            },
          },
        },
        apiKeyFor: forever,
      },
    },
  ])("$name", async ({ options }) => {
    const controller = new AbortController();
    const result = createClient(options).complete({ model, messages: [], signal: controller.signal });
    controller.abort();
    expect(await result).toMatchObject({ stopReason: "aborted", error: { code: "aborted" } });
  });
});
