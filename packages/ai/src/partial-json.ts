import { Allow, parse } from "partial-json";

/**
 * What is known of a call's arguments while their text still arrives: for display only, never to run a tool.
 *
 * Always an object; text that is not the beginning of one gives `{}`. Costs a parse of the whole text, so callers
 * parse at the pace of the screen and not once a delta.
 */
export function parsePartialArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text.trimStart(), Allow.ALL);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
