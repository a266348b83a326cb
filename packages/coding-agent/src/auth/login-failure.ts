import { CodingAgentError } from "../errors.ts";
import { shownReason } from "./token-request.ts";

/** Why nobody is logged in; nothing of a code or a token is in it. */
export function loginFailed(provider: string, reason: string): CodingAgentError {
  return new CodingAgentError({
    code: "login_failed",
    message: `Nobody was logged in to ${provider}: ${reason}.`,
    data: { provider },
  });
}

/** The word of RFC 6749 and RFC 8628 for a person who said no, and for everything else as the server put it. */
export function refusalOf(error: string | undefined): string {
  if (error === "access_denied") return "it was denied in the browser";
  const reason = shownReason(error);
  return reason === undefined ? "the server gave no reason" : `the server says ${reason}`;
}
