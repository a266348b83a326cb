import type { ErrorInfo } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { answerAdvice } from "./answer-advice.ts";

const failed = (provider: string, errorMessage: string, error: ErrorInfo) =>
  scriptedMessage({ provider, stopReason: "error", errorMessage, error });
const auth = { code: "auth", retryable: false };
const LOGINS = new Set(["club"]);
const network = { code: "network", retryable: true };

test.each([
  { provider: "server", error: auth, advice: /^Set COPPICE_API_KEY/ },
  { provider: "anthropic", error: auth, advice: /ANTHROPIC_API_KEY/ },
  { provider: "team", error: auth, advice: /^Check `apiKey` of team in models\.json\.$/ },
  { provider: "club", error: auth, advice: /coppice auth login club/ },
  { provider: "p", text: "gateway: (invalid_grant)", error: auth, advice: /^Check `apiKey` of p in/ },
  { provider: "club", error: { ...auth, advice: "Ask the club." }, advice: /^Ask the club\.$/ },
  {
    provider: "server",
    text: "x: bad port",
    error: { code: "bad_request", retryable: false },
    advice: /refuse this port/,
  },
  {
    provider: "server",
    text: "getaddrinfo ENOTFOUND x",
    error: network,
    advice: /no such host: check --base-url/,
  },
  { provider: "team", text: "connect ECONNREFUSED 1", error: network, advice: /`baseUrl` of team/ },
  {
    provider: "p",
    error: { code: "rate_limited", retryable: true, retryAfterMs: 3_600_000 },
    advice: /wait 60 min 0 s/,
  },
  { provider: "p", error: { code: "rate_limited", retryable: true }, advice: /^Wait and try again\.$/ },
])(
  "a failure of $provider with $error.code is answered with $advice",
  ({ provider, text = "no", error, advice }) => {
    expect(answerAdvice(failed(provider, text, error), LOGINS)).toMatch(advice);
  },
);

test("whoever reads it in a conversation is told the command that there is", () => {
  expect(answerAdvice(failed("club", "no", auth), LOGINS, "conversation")).toMatch(
    /^Log in again with \/login club, /,
  );
});

test("a code from elsewhere has no advice", () => {
  expect(answerAdvice(failed("p", "no", { code: "toString", retryable: false }), LOGINS)).toBeUndefined();
});
