import type { OAuthCredential } from "./credential.ts";

export interface TokenRequest {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** What an authorisation server answered. */
export interface TokenAnswer {
  readonly status: number;
  readonly isOk: boolean;
  /** Empty for an answer that is no JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Its word for what went wrong (RFC 6749, section 5.2), where it may be shown. */
  readonly reason: string | undefined;
}

/** A token without a stated life is renewed after this. */
const DEFAULT_LIFE_SECONDS = 3600;
/** An answer is a few hundred bytes. */
const MOST_RESPONSE_CHARS = 65_536;

/** Asks an authorisation server; rejects only where none answered. Nothing of a token is in `reason`. */
export async function requestToken({ url, fields, fetch, signal }: TokenRequest): Promise<TokenAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
    // A redirect would carry what is sent to another address.
    ...{ redirect: "error", signal },
  });
  const answer = fieldsOf(await response.text());
  return { status: response.status, isOk: response.ok, fields: answer, reason: shownReason(answer.error) };
}

/** A server's word for what went wrong, where it may be shown: short, and without anything that steers a terminal. */
export function shownReason(error: unknown): string | undefined {
  return typeof error === "string" && /^[\w ]{1,80}$/.test(error) ? error : undefined;
}

/** The login in an answer; undefined when there is none. A server that gives no refresh token keeps the one before. */
export function credentialIn(
  { fields }: TokenAnswer,
  { now, refresh = "" }: { readonly now: number; readonly refresh?: string },
): OAuthCredential | undefined {
  const { access_token: access, refresh_token: renewal, expires_in: life } = fields;
  if (typeof access !== "string" || access === "") return undefined;
  const lifeSeconds = Number(life ?? DEFAULT_LIFE_SECONDS);
  return {
    type: "oauth",
    access,
    refresh: typeof renewal === "string" && renewal !== "" ? renewal : refresh,
    expiresAtMs: now + (lifeSeconds > 0 ? lifeSeconds : DEFAULT_LIFE_SECONDS) * 1000,
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text.length > MOST_RESPONSE_CHARS ? undefined : JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
