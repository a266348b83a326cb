/** A token count from a server: a finite number that is not negative, also written as text; 0 for anything else. */
export function tokenCount(value: unknown): number {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? Math.round(number) : 0;
}
