import type { Redactor } from "./redactor.ts";

/** A line of a session file without its secrets; one that holds none, or is damaged and holds none, stays as it was. */
export function redactLine(line: string, redactor: Redactor): string {
  return changedLine(line, redactor.redactText, redactor.redactValue);
}

/** A line of JSON with another value, and one that is no JSON with another text; what does not change stays byte for byte. */
export function changedLine(
  line: string,
  changeText: (text: string) => string,
  changeValue: (value: unknown) => unknown,
): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A damaged line may hold a secret as well.
    return changeText(line);
  }
  const before = JSON.stringify(value);
  const after = JSON.stringify(changeValue(value));
  return before === after ? line : after;
}
