import { describe, expect, test } from "vitest";
import { TARGET } from "../test/arbitrary-history.ts";
import { builtinProviders } from "./builtin-providers.ts";
import { createClient } from "./client.ts";
import type { ErrorInfo } from "./errors.ts";
import { findModel } from "./find-model.ts";
import type { Model } from "./model.ts";
import { PROVIDER_ERRORS, type ProviderErrorCode } from "./provider-error.ts";
import type { ToolSpec } from "./tool-schema.ts";

interface Input {
  readonly model?: Partial<Model>;
  readonly tools?: readonly ToolSpec[];
  readonly apiKey?: string;
  readonly respond?: () => Response;
}

async function errorOf(api: string, input: Input): Promise<ErrorInfo> {
  const client = createClient({
    providers: builtinProviders,
    fetch: async (url, init) => input.respond?.() ?? fetch(url, init),
  });
  const { error } = await client.complete({
    model: { ...TARGET, api, provider: "acme", baseUrl: "http://acme.invalid/v1", ...input.model },
    messages: [{ role: "user", content: "hi", timestamp: 1 }],
    ...(input.tools === undefined ? {} : { tools: input.tools }),
    ...(input.apiKey === undefined ? {} : { apiKey: input.apiKey }),
  });
  if (error === undefined) throw new Error("The call did not fail.");
  return error;
}

const json = (status: number, body: unknown) => () => Response.json(body, { status });
const tool = (parameters: unknown): ToolSpec => ({
  name: "pick",
  description: "Picks.",
  parameters: parameters as ToolSpec["parameters"],
});

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  test.each<Input & { name: string; code: ProviderErrorCode; says: RegExp }>([
    {
      name: "a missing key",
      respond: json(401, {
        error: { type: "authentication_error", code: 401, status: "UNAUTHENTICATED", message: "no" },
      }),
      code: "auth",
      says: /^acme failed \(HTTP 401.*No API key was given for acme\.$/,
    },
    {
      name: "a wrong key",
      apiKey: "sk-wrong",
      respond: json(401, {
        error: { type: "authentication_error", code: 401, status: "UNAUTHENTICATED", message: "no" },
      }),
      code: "auth",
      says: /^acme failed \(HTTP 401, \w+\): no$/,
    },
    {
      name: "a wrong path",
      respond: json(404, { detail: "Not Found" }),
      code: "bad_request",
      says: /Check the base URL, its path included: http:\/\/acme\.invalid\/v1/,
    },
    {
      name: "a web page",
      respond: () => new Response("<html>Hi</html>", { headers: { "content-type": "text/html" } }),
      code: "bad_request",
      says: /answered with a web page. Check the base URL/,
    },
    {
      name: "no URL at all",
      model: { baseUrl: "acme" },
      code: "bad_request",
      says: /base URL of acme is not a URL: "acme"/,
    },
    {
      name: "a port that fetch refuses",
      model: { baseUrl: "http://127.0.0.1:1" },
      code: "bad_request",
      says: /127\.0\.0\.1:1: bad port/,
    },
    {
      name: "a schema that is a text",
      tools: [tool("nope")],
      code: "bad_request",
      says: /parameters of the tool "pick" are not a JSON Schema of an object: "nope"/,
    },
    {
      name: "a schema of a list",
      tools: [tool({ type: "array" })],
      code: "bad_request",
      says: /tool "pick"/,
    },
    {
      name: "a schema that JSON cannot hold",
      tools: [tool({ default: 1n })],
      code: "bad_request",
      says: /tool "pick"/,
    },
  ])("$name", async ({ code, says, ...input }) => {
    const error = await errorOf(api, input);
    expect(error).toMatchObject({ code, retryable: false });
    expect(error.message).toMatch(says);
    expect(error.message).not.toMatch(/\n|node_modules|SDK/);
    expect(PROVIDER_ERRORS[code].advice).not.toBe("");
  });
});

test("an unknown API names those that are known", async () => {
  const error = await errorOf("nobody", {});
  expect(error).toMatchObject({ code: "unknown_provider", retryable: false });
  expect(error.message).toContain("google-generative-ai");
});

test("an unknown model names the closest", async () => {
  await expect(findModel("anthropic/claude-opuss-5")).rejects.toMatchObject({
    name: "ProviderError",
    code: "unknown_model",
    message: expect.stringContaining("anthropic/claude-opus-5"),
  });
});
