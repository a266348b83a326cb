import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ClientOptions, createClient } from "./client.ts";
import type { Model } from "./model.ts";

test("importing the package loads no SDK, no validator and no catalogue", () => {
  const root = join(import.meta.dirname, "index.ts");
  const script = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(root)});
    console.log(JSON.stringify(urls));
  `;
  const output = execFileSync(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module", "-e", script],
    {
      encoding: "utf8",
    },
  );
  const urls: readonly string[] = JSON.parse(output);
  const heavy = urls.filter((url) => /@anthropic-ai|node_modules\/openai|typebox|\.generated\./.test(url));
  expect(heavy).toEqual([]);
  expect(urls.length).toBeGreaterThan(10);
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
