import { CodingAgentError } from "../errors.ts";
import type { OAuthCredential, OAuthFlow } from "./credential.ts";

export interface TokenFlowOptions {
  /** As it is named in messages. */
  readonly provider: string;
  /** Where tokens are renewed; https, or http on this machine. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly fetch: typeof fetch;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A token without a stated life is renewed after this. */
const DEFAULT_LIFE_SECONDS = 3600;
/** A token response is a few hundred bytes. */
const MOST_RESPONSE_CHARS = 65_536;

/**
 * Renews logins as OAuth 2.0 says (RFC 6749, section 6); a server that hands out no new refresh token keeps the old one.
 *
 * Throws `invalid_key` at once for an address that tokens must not be sent to, and when the server says that the login is
 * over. Nothing of a token is in any message.
 */
export function createTokenFlow(options: TokenFlowOptions): OAuthFlow {
  const { provider, tokenUrl, clientId, now } = options;
  requireSafeAddress(options);
  return {
    async refresh(credential, signal) {
      const response = await options.fetch(tokenUrl, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          ...{ grant_type: "refresh_token", client_id: clientId },
          refresh_token: credential.refresh,
        }).toString(),
        // A redirect would carry the token to another address.
        ...{ redirect: "error", signal },
      });
      const fields = await fieldsOf(response);
      if (!response.ok) throw refused(provider, response.status, fields.error);
      const { access_token: access, refresh_token: refresh, expires_in: life } = fields;
      if (typeof access !== "string" || access === "")
        throw refused(provider, response.status, "no access token");
      const lifeSeconds = Number(life ?? DEFAULT_LIFE_SECONDS);
      const renewed: OAuthCredential = {
        type: "oauth",
        access,
        refresh: typeof refresh === "string" && refresh !== "" ? refresh : credential.refresh,
        expiresAtMs: now() + (lifeSeconds > 0 ? lifeSeconds : DEFAULT_LIFE_SECONDS) * 1000,
      };
      return renewed;
    },
  };
}

function requireSafeAddress({ provider, tokenUrl }: TokenFlowOptions): void {
  const url = URL.parse(tokenUrl);
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return;
  throw new CodingAgentError({
    code: "invalid_key",
    message: `The token address of ${provider} is neither https nor http on this machine: ${tokenUrl}`,
  });
}

async function fieldsOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text();
  try {
    const value: unknown = text.length > MOST_RESPONSE_CHARS ? undefined : JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** RFC 6749, section 5.2: `invalid_grant` means that the refresh token is expired, revoked or somebody else's. */
function refused(provider: string, status: number, error: unknown): CodingAgentError {
  const reason = typeof error === "string" && /^[\w ]{1,80}$/.test(error) ? error : "no reason given";
  const isOver = reason === "invalid_grant";
  return new CodingAgentError({
    code: "invalid_key",
    message: isOver
      ? `The login of ${provider} is no longer good (invalid_grant). Log in to ${provider} again.`
      : `The login of ${provider} could not be renewed: ${reason} (status ${status}).`,
    data: { provider, status },
  });
}
