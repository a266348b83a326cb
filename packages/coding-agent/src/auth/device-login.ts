import type { OAuthCredential } from "./credential.ts";
import { loginFailed, refusalOf } from "./login-failure.ts";
import type { LoginOptions } from "./login-options.ts";
import { isSafeAddress, requireSafeAddress } from "./oauth-server.ts";
import { credentialIn, requestToken, type TokenAnswer } from "./token-request.ts";

/** Seconds between questions where the server names none, and what each `slow_down` adds (RFC 8628, section 3.5). */
const INTERVAL_SECONDS = 5;
const DEFAULT_LIFE_SECONDS = 900;
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** A sign-in that a person finishes in a browser, on this machine or another one. */
interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly url: string;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
}

/**
 * Signs in with a browser anywhere: a person types a code there, and the server is asked until they have (RFC 8628).
 *
 * Never asks sooner than the server allows. Throws as `login` does.
 */
export async function loginWithDevice(options: LoginOptions, signal: AbortSignal): Promise<OAuthCredential> {
  const { provider, server, now } = options;
  const { deviceUrl = "", clientId, scope } = server;
  requireSafeAddress(deviceUrl, `The login address of ${provider}`);
  const fields = { client_id: clientId, ...(scope === undefined ? {} : { scope }) };
  const begun = await requestToken({ url: deviceUrl, fields, fetch: options.fetch, signal });
  if (!begun.isOk) throw loginFailed(provider, refusalOf(begun.reason));
  const device = deviceCodeIn(begun);
  if (device === undefined)
    throw loginFailed(provider, "the server gave no code to type, or no safe address");
  const expiresAtMs = now() + device.lifeSeconds * 1000;
  await options.show({ way: "device", url: device.url, code: device.userCode, expiresAtMs });
  return poll(options, { ...device, expiresAtMs, signal });
}

async function poll(
  { provider, server, fetch, now, sleep }: LoginOptions,
  {
    deviceCode,
    intervalSeconds,
    expiresAtMs,
    signal,
  }: DeviceCode & { expiresAtMs: number; signal: AbortSignal },
): Promise<OAuthCredential> {
  const fields = { grant_type: GRANT, device_code: deviceCode, client_id: server.clientId };
  let waitSeconds = intervalSeconds;
  while (true) {
    await sleep(waitSeconds * 1000, signal);
    signal.throwIfAborted();
    if (now() >= expiresAtMs) throw loginFailed(provider, "the code was not typed in time");
    const answer = await requestToken({ url: server.tokenUrl, fields, fetch, signal }).catch(() => undefined);
    signal.throwIfAborted();
    // A server that could not be reached is asked less often, too.
    if (answer === undefined || answer.status >= 500 || answer.reason === "slow_down")
      waitSeconds += INTERVAL_SECONDS;
    else if (answer.isOk) {
      const credential = credentialIn(answer, { now: now() });
      if (credential !== undefined) return credential;
      throw loginFailed(provider, "the server gave no token");
    } else if (answer.reason === "expired_token")
      throw loginFailed(provider, "the code was not typed in time");
    else if (answer.reason !== "authorization_pending") throw loginFailed(provider, refusalOf(answer.reason));
  }
}

function deviceCodeIn({ fields }: TokenAnswer): DeviceCode | undefined {
  const { device_code: deviceCode, user_code: userCode, verification_uri: url } = fields;
  if (typeof deviceCode !== "string" || typeof userCode !== "string" || typeof url !== "string")
    return undefined;
  // Both are shown on a terminal.
  if (!isSafeAddress(url) || !/^[\w -]{1,40}$/.test(userCode)) return undefined;
  return {
    ...{ deviceCode, userCode, url: new URL(url).href },
    intervalSeconds: positive(fields.interval) ?? INTERVAL_SECONDS,
    lifeSeconds: positive(fields.expires_in) ?? DEFAULT_LIFE_SECONDS,
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
