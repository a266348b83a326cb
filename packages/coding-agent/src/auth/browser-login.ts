import { createHash, randomBytes } from "node:crypto";
import { type BrowserCallback, listenForCallback } from "./browser-callback.ts";
import type { OAuthCredential } from "./credential.ts";
import { loginFailed, refusalOf } from "./login-failure.ts";
import type { LoginOptions } from "./login-options.ts";
import { requireSafeAddress } from "./oauth-server.ts";
import { credentialIn, requestToken } from "./token-request.ts";

const random = () => randomBytes(32).toString("base64url");

/**
 * Signs in with a browser on this machine: an authorisation code with PKCE (RFC 6749, 7636, 8252), which comes back to a
 * port of this machine, or is pasted where the browser runs elsewhere.
 *
 * Throws as `login` does.
 */
export async function loginWithBrowser(options: LoginOptions, signal: AbortSignal): Promise<OAuthCredential> {
  const { provider, server } = options;
  const { authorizationUrl = "", issuer } = server;
  requireSafeAddress(authorizationUrl, `The login address of ${provider}`);
  const [verifier, state] = [random(), random()];
  const callback = await listenForCallback({
    redirectUrl: server.redirectUrl,
    isOurs: (answer) => answer.get("state") === state,
  });
  try {
    if (!callback.isListening && options.paste === undefined) {
      throw loginFailed(provider, `another program uses the port of ${callback.redirectUrl}; end it first`);
    }
    const url = loginAddress(authorizationUrl, {
      ...{ response_type: "code", client_id: server.clientId, redirect_uri: callback.redirectUrl, state },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...(server.scope === undefined ? {} : { scope: server.scope }),
    });
    await options.show({ way: "browser", url });
    const answer = await answerOf({ callback, paste: options.paste, signal });
    const code = typeof answer === "string" ? answer : codeIn(answer, { provider, state, issuer });
    if (code === "") throw loginFailed(provider, "the answer holds no code");
    return await exchangeCode(options, { code, verifier, redirectUrl: callback.redirectUrl, signal });
  } finally {
    callback.close();
  }
}

function loginAddress(authorizationUrl: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(authorizationUrl);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

interface Expected {
  readonly provider: string;
  readonly state: string;
  readonly issuer: string | undefined;
}

/** The code in the address that the browser ended at; empty when there is none. Throws `login_failed` for any other answer. */
function codeIn(address: URLSearchParams, { provider, state, issuer }: Expected): string {
  if (address.get("state") !== state) throw loginFailed(provider, "what was pasted belongs to another login");
  if (issuer !== undefined && address.get("iss") !== issuer) {
    throw loginFailed(provider, "another server has answered");
  }
  const error = address.get("error");
  if (error !== null) throw loginFailed(provider, refusalOf(error));
  return address.get("code") ?? "";
}

interface AnswerOptions {
  readonly callback: BrowserCallback;
  readonly paste: LoginOptions["paste"];
  readonly signal: AbortSignal;
}

/** From the browser or from the person, whoever is first; rejects when the signal fires. */
async function answerOf({ callback, paste, signal }: AnswerOptions): Promise<URLSearchParams | string> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const over = new AbortController();
  const pasted = paste?.(AbortSignal.any([signal, over.signal])).then(answerIn);
  try {
    return await Promise.race([callback.answer, stopped, ...(pasted === undefined ? [] : [pasted])]);
  } finally {
    over.abort();
    pasted?.catch(() => undefined);
    signal.removeEventListener("abort", stop);
  }
}

/**
 * A person pastes the address that the browser ended at, or the code that a page shows. Nothing stands beside a code that
 * could be compared; that it is one for this login the server tells by the proof of PKCE.
 */
function answerIn(pasted: string): URLSearchParams | string {
  const text = pasted.trim();
  return (/^https?:/i.test(text) ? URL.parse(text)?.searchParams : undefined) ?? text;
}

async function exchangeCode(
  { provider, server, fetch, now }: LoginOptions,
  answer: { code: string; verifier: string; redirectUrl: string; signal: AbortSignal },
): Promise<OAuthCredential> {
  const { code, verifier, redirectUrl, signal } = answer;
  const tokens = await requestToken({
    url: server.tokenUrl,
    fields: {
      ...{ grant_type: "authorization_code", client_id: server.clientId, code },
      ...{ redirect_uri: redirectUrl, code_verifier: verifier },
    },
    ...{ fetch, signal },
  });
  const credential = tokens.isOk ? credentialIn(tokens, { now: now() }) : undefined;
  if (credential !== undefined) return credential;
  throw loginFailed(provider, tokens.isOk ? "the server gave no token" : refusalOf(tokens.reason));
}
