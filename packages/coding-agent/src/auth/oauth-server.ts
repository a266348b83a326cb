import { CodingAgentError } from "../errors.ts";

/** Where and as whom people sign in with a provider: data, as a provider contributes it. */
export interface OAuthServer {
  /** The client that the provider knows this program as; public, as programs on a user's machine cannot keep secrets. */
  readonly clientId: string;
  /** Where codes and old tokens are exchanged; https, or http on this machine, as all of these. */
  readonly tokenUrl: string;
  /** For signing in with a browser on this machine (RFC 8252, PKCE). */
  readonly authorizationUrl?: string;
  /** For signing in with a browser anywhere (RFC 8628). */
  readonly deviceUrl?: string;
  /** Names of what is asked for, with blanks between them. */
  readonly scope?: string;
  /** What the server must call itself in its answer to the browser (RFC 9207); absent = it is not asked. */
  readonly issuer?: string;
  /** Where the browser comes back to, if the server knows one place only; default: a free port of 127.0.0.1. */
  readonly redirectUrl?: string;
}

/** The ways to sign in that a server offers; the first is the usual one. */
export type LoginWay = "browser" | "device";

/** Which ways a server offers, the browser first. */
export function loginWays({ authorizationUrl, deviceUrl }: OAuthServer): readonly LoginWay[] {
  return [
    ...(authorizationUrl === undefined ? [] : (["browser"] as const)),
    ...(deviceUrl === undefined ? [] : (["device"] as const)),
  ];
}

/** True for https, and for http on this machine. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address);
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
}

/** Throws `invalid_key` for an address that neither tokens nor people should be sent to (fault kind AU-09). */
export function requireSafeAddress(address: string, what: string): void {
  if (isSafeAddress(address)) return;
  throw new CodingAgentError({
    code: "invalid_key",
    message: `${what} is neither https nor http on this machine: ${address}`,
  });
}
