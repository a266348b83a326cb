/** `950`, `12.3k`, `1.2M`. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  return tokens < 1_000_000 ? `${shortNumber(tokens / 1000)}k` : `${shortNumber(tokens / 1_000_000)}M`;
}

/** `$0.0042`, `$1.37`. */
export function costText(costUsd: number): string {
  return `$${costUsd < 0.1 && costUsd > 0 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`;
}

/** `420 ms`, `3.2 s`, `2 min 5 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`;
}

/** Day and minute of an ISO 8601 time, as it was written; empty where there is none. */
export function timeText(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso);
  return match === null ? "" : `${match[1]} ${match[2]}`;
}

function shortNumber(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}
