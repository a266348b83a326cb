import { type AnyEntry, isEntry } from "@coppice/session";

/** `customType` of the entries that pin a rule. */
export const PIN_CUSTOM_TYPE = "coppice.pin";

/** A rule that survives every compaction word for word. `removed` on a later entry of the same id takes it back. */
export interface Pin {
  readonly id: string;
  readonly text: string;
  readonly source: "user" | "hook" | "detected";
  readonly removed?: boolean;
}

const PIN_HEADING = "## Pinned";

/** The pins in force on a path (root → position), oldest first; those before a compaction come from its checkpoint. */
export function activePins(path: readonly AnyEntry[]): readonly Pin[] {
  const pins = new Map<string, Pin>();
  for (const pin of pinsOn(path)) {
    if (pin.removed === true) pins.delete(pin.id);
    else pins.set(pin.id, pin);
  }
  return [...pins.values()];
}

/** The ids of all rules that a path tells of, in force or taken back. */
export function pinIdsOn(path: readonly AnyEntry[]): ReadonlySet<string> {
  return new Set([...pinsOn(path)].map(({ id }) => id));
}

function* pinsOn(path: readonly AnyEntry[]): Generator<Pin> {
  for (const entry of path) {
    if (entry.type !== "custom" && entry.type !== "compaction") continue;
    for (const value of pinValuesOf(entry)) if (isPin(value)) yield value;
  }
}

/** The section that ends a summary; empty without pins. */
export function pinnedSection(pins: readonly Pin[]): string {
  if (pins.length === 0) return "";
  const lines = pins.map((pin) => `- ${pin.text.trim().replace(/\r?\n/g, "\n  ")}`);
  return `${PIN_HEADING}\n${lines.join("\n")}`;
}

/** A summary without the pinned section that ends it. */
export function withoutPinnedSection(summary: string): string {
  const at = `\n${summary}`.lastIndexOf(`\n${PIN_HEADING}\n`);
  return at === -1 ? summary : summary.slice(0, Math.max(0, at - 1)).trimEnd();
}

function pinValuesOf(entry: AnyEntry): readonly unknown[] {
  if (isEntry(entry, "compaction")) {
    const pins: unknown = entry.checkpoint?.pins;
    return Array.isArray(pins) ? pins : [];
  }
  return isEntry(entry, "custom") && entry.customType === PIN_CUSTOM_TYPE ? [entry.data] : [];
}

function isPin(value: unknown): value is Pin {
  const { id, text, removed } = (typeof value === "object" && value !== null ? value : {}) as Partial<Pin>;
  return (
    typeof id === "string" &&
    id !== "" &&
    (removed === true || (typeof text === "string" && text.trim() !== ""))
  );
}
