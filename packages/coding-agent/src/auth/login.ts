import { messageOf } from "../errors.ts";
import { type Sleep, sleep as systemSleep } from "../sleep.ts";
import { loginWithBrowser } from "./browser-login.ts";
import type { OAuthCredential } from "./credential.ts";
import { loginWithDevice } from "./device-login.ts";
import { loginFailed } from "./login-failure.ts";
import type { LoginOptions } from "./login-options.ts";
import { type LoginWay, loginWays, requireSafeAddress } from "./oauth-server.ts";

/** How long a person may take in the browser. */
const LOGIN_LIMIT_MS = 15 * 60_000;

/**
 * Signs a person in with a provider. The caller stores what it resolves with (`AuthStore.set`).
 *
 * Every login ends: with a credential, with `login_failed` (denied, refused, not in time, not reached), with
 * `invalid_key` for addresses that are not safe, or with the signal's reason. Nothing goes on after it.
 */
export async function login(
  options: Omit<LoginOptions, "sleep"> & {
    /** Default: the first that the server offers. */
    readonly way?: LoginWay;
    readonly sleep?: Sleep;
    readonly signal: AbortSignal;
  },
): Promise<OAuthCredential> {
  const { provider, server, signal, sleep = systemSleep } = options;
  const ways = loginWays(server);
  const way = options.way ?? ways[0];
  if (way === undefined || !ways.includes(way)) {
    throw loginFailed(provider, `it offers no login ${way === undefined ? "of this kind" : `by ${way}`}`);
  }
  requireSafeAddress(server.tokenUrl, `The token address of ${provider}`);
  const limit = new AbortController();
  const over = new AbortController();
  void sleep(LOGIN_LIMIT_MS, over.signal).then(() => limit.abort(loginFailed(provider, "it took too long")));
  const ended = AbortSignal.any([signal, limit.signal]);
  const run = way === "browser" ? loginWithBrowser : loginWithDevice;
  try {
    return await run({ ...options, sleep }, ended);
  } catch (error) {
    ended.throwIfAborted();
    // What `fetch` throws names neither the server nor what to do.
    if (error instanceof TypeError) throw loginFailed(provider, `${server.tokenUrl}: ${messageOf(error)}`);
    throw error;
  } finally {
    over.abort();
  }
}
