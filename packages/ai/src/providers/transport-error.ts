import { ProviderError } from "../provider-error.ts";

/** A request that got no answer, classified: the message names the host and the innermost cause. */
export function transportError(error: unknown, url: string): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError({
    code: "network",
    message: `Could not talk to ${new URL(url).host}: ${innermostCause(error)}`,
    cause: error,
  });
}

function innermostCause(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 10; depth++) {
    // Several addresses of one host fail together as an AggregateError without a message of its own.
    const inner = at instanceof AggregateError ? at.errors[0] : at instanceof Error ? at.cause : undefined;
    if (inner === undefined || inner === null) break;
    at = inner;
  }
  if (!(at instanceof Error)) return String(at);
  const code = (at as NodeJS.ErrnoException).code;
  return code === undefined || at.message.includes(code) ? at.message : `${at.message} (${code})`;
}
