import { CodingAgentError } from "../errors.ts";

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
  return error !== undefined && /^[\w ]{1,80}$/.test(error)
    ? `the server says ${error}`
    : "the server gave no reason";
}
