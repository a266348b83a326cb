import { ProviderError } from "../provider-error.ts";

/** What `fetch` refuses without trying: the address is wrong, and stays wrong. */
const ADDRESS_FAULTS = /^(bad port|unknown scheme|invalid url|URL scheme must be)/i;
/** Codes of Node's TLS for certificates that a repetition does not mend (https://nodejs.org/api/tls.html, 2026-11). */
const CERTIFICATE_FAULTS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** A request that got no answer, classified: the message names the host and the innermost cause. */
export function transportError(error: unknown, url: string): ProviderError {
  if (error instanceof ProviderError) return error;
  const { text, code } = innermostCause(error);
  const message = `Could not talk to ${new URL(url).host}: ${text}`;
  if (ADDRESS_FAULTS.test(text)) return new ProviderError({ code: "bad_request", message, cause: error });
  const isLasting = CERTIFICATE_FAULTS.test(code);
  return new ProviderError({
    code: "network",
    message,
    ...(isLasting ? { retryable: false, advice: "Check the certificate of the server." } : {}),
    cause: error,
  });
}

function innermostCause(error: unknown): { readonly text: string; readonly code: string } {
  let at = error;
  for (let depth = 0; depth < 10; depth++) {
    // Several addresses of one host fail together as an AggregateError without a message of its own.
    const inner = at instanceof AggregateError ? at.errors[0] : at instanceof Error ? at.cause : undefined;
    if (inner === undefined || inner === null) break;
    at = inner;
  }
  if (!(at instanceof Error)) return { text: String(at), code: "" };
  const { code = "" } = at as NodeJS.ErrnoException;
  const isSaid = code === "" || at.message.includes(code);
  return { text: isSaid ? at.message : `${at.message} (${code})`, code };
}
