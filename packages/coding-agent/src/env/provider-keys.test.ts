import { expect, test } from "vitest";
import { withoutProviderKeys } from "./provider-keys.ts";

test("B251: credentials of model providers go, everything else stays", () => {
  const kept = {
    PATH: "/bin",
    GITHUB_TOKEN: "g",
    NPM_TOKEN: "n",
    AWS_SECRET_ACCESS_KEY: "a",
    OPENAI_BASE_URL: "u",
  };
  const gone = {
    ANTHROPIC_API_KEY: "1",
    ANTHROPIC_AUTH_TOKEN: "2",
    OPENAI_API_KEY: "3",
    GEMINI_API_KEY: "4",
    GOOGLE_GENERATIVE_AI_API_KEY: "5",
    CLAUDE_CODE_OAUTH_TOKEN: "6",
    openrouter_api_key: "7",
  };
  expect(withoutProviderKeys({ ...kept, ...gone, EMPTY: undefined })).toEqual(kept);
});

test("B251: a credential can be kept on purpose", () => {
  expect(withoutProviderKeys({ OPENAI_API_KEY: "x" }, { keep: ["OPENAI_API_KEY"] })).toEqual({
    OPENAI_API_KEY: "x",
  });
});
