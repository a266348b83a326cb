/** A number with its noun, which gets an `s` unless the number is one: `1 line`, `0 lines`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
