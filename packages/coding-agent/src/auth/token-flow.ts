import { ProviderError } from "@coppice/ai";
import { CodingAgentError } from "../errors.ts";
import type { OAuthFlow } from "./credential.ts";
import { requireSafeAddress } from "./oauth-server.ts";
import { credentialIn, requestToken, type TokenAnswer } from "./token-request.ts";

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
 * Throws `invalid_key` at once for an address that tokens must not be sent to, and when the server refuses (`data.reason`
 * is its word, where it gave one). A server that is out of order, at its limit or not to be reached says nothing about the
 * login: `ProviderError` `overloaded`, `rate_limited`, `network` or `timeout`. Nothing of a token is in any message.
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
      }).catch((error: unknown) => {
        throw unreached({ provider, host: new URL(tokenUrl).host, error });
      });
      const renewed = answer.isOk ? credentialIn(answer, { now: now(), refresh }) : undefined;
      if (renewed !== undefined) return renewed;
      throw refused(provider, answer);
    },
  };
}

/** RFC 6749, section 5.2: `invalid_grant` means that the refresh token is expired, revoked or somebody else's. */
function refused(provider: string, { status, isOk, reason }: TokenAnswer): CodingAgentError | ProviderError {
  const said = isOk ? "no access token" : (reason ?? "no reason given");
  const message = `The login of ${provider} could not be renewed: ${said} (status ${status}).`;
  if (status >= 500 || status === 429) {
    const code = status === 429 ? "rate_limited" : "overloaded";
    return new ProviderError({ code, message, status, advice: "Try again later; the login is kept." });
  }
  return new CodingAgentError({
    code: "invalid_key",
    message:
      reason === "invalid_grant"
        ? `The login of ${provider} is no longer good (invalid_grant). Log in to ${provider} again.`
        : message,
    data: { provider, status, ...(reason === undefined ? {} : { reason }) },
  });
}

function unreached({
  provider,
  host,
  error,
}: {
  readonly provider: string;
  readonly host: string;
  readonly error: unknown;
}): ProviderError {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const code = codeOf(error);
  const why = isLate
    ? "did not answer in time"
    : `cannot be reached${code === undefined ? "" : ` (${code})`}`;
  return new ProviderError({
    code: isLate ? "timeout" : "network",
    message: `The login of ${provider} could not be renewed: ${host} ${why}.`,
    advice: `Check the network, and that ${host} is where logins of ${provider} are renewed; the login is kept.`,
    cause: error,
  });
}

/** The system's code of the innermost cause; its text is left alone, for it may quote what was sent. */
function codeOf(error: unknown): string | undefined {
  let found: string | undefined;
  for (let at = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    if ("code" in at && typeof at.code === "string") found = at.code;
  }
  return found;
}
