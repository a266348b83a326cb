/** A duration for people: `840 ms`, `3.2 s`, `4 min 10 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A time that goes on, for people, in whole seconds: `0 s`, `59 s`, `4 min 10 s`. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1_000));
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000);
}

/** Tokens for people: `950`, `128k`, `1.1M`. */
export function tokensText(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 1_000_000) return `${Math.round(tokens / 1_000)}k`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}

/** Tokens of a model's own words, which are few: `950`, `1.2k`, `12k`. */
export function writtenTokensText(tokens: number): string {
  if (tokens < 1_000 || tokens >= 9_950) return tokensText(tokens);
  return `${(tokens / 1_000).toFixed(1).replace(/\.0$/, "")}k`;
}

/** How long ago a time is: `now`, `5 min`, `3 h`, `12 d`. Both in Unix milliseconds. */
export function ageText(thenMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - thenMs) / 60_000);
  if (!Number.isFinite(minutes)) return "?";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (60 * 24))} d`;
}
