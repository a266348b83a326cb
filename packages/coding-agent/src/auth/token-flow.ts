import { CodingAgentError } from "../errors.ts";
import type { OAuthFlow } from "./credential.ts";
import { requireSafeAddress } from "./oauth-server.ts";
import { credentialIn, requestToken } from "./token-request.ts";

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

/**
 * Renews logins as OAuth 2.0 says (RFC 6749, section 6); a server that hands out no new refresh token keeps the old one.
 *
 * Throws `invalid_key` at once for an address that tokens must not be sent to, and when the server says that the login is
 * over. Nothing of a token is in any message.
 */
export function createTokenFlow(options: TokenFlowOptions): OAuthFlow {
  const { provider, tokenUrl, clientId, now } = options;
  requireSafeAddress(tokenUrl, `The token address of ${provider}`);
  return {
    async refresh(credential, signal) {
      const { refresh } = credential;
      const answer = await requestToken({
        url: tokenUrl,
        fields: { grant_type: "refresh_token", client_id: clientId, refresh_token: refresh },
        ...{ fetch: options.fetch, signal },
      });
      const renewed = answer.isOk ? credentialIn(answer, { now: now(), refresh }) : undefined;
      if (renewed !== undefined) return renewed;
      throw refused(
        provider,
        answer.status,
        answer.isOk ? "no access token" : (answer.reason ?? "no reason given"),
      );
    },
  };
}

/** RFC 6749, section 5.2: `invalid_grant` means that the refresh token is expired, revoked or somebody else's. */
function refused(provider: string, status: number, reason: string): CodingAgentError {
  const isOver = reason === "invalid_grant";
  return new CodingAgentError({
    code: "invalid_key",
    message: isOver
      ? `The login of ${provider} is no longer good (invalid_grant). Log in to ${provider} again.`
      : `The login of ${provider} could not be renewed: ${reason} (status ${status}).`,
    data: { provider, status },
  });
}
