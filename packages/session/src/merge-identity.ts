import { createHash } from "node:crypto";
import type { AnyEntry } from "./entry.ts";

/** Fields that hold ids of other entries. */
const REFERENCES = ["parentId", "targetId", "firstKeptEntryId", "fromId"] as const;

/**
 * An entry apart from any one copy of its session. Its identity is a hash over what it holds, with references replaced
 * by the identities of what they name, so that two entries are the same only if all that they hang on is the same too.
 */
export interface IdentifiedEntry {
  readonly identity: string;
  /** The id that it was written with, before any renaming. */
  readonly originalId: string;
  readonly entry: AnyEntry;
  /** Identities of what its references name; those that name nothing in the copy are absent. */
  readonly references: Readonly<Partial<Record<string, string>>>;
}

/** The entries of one copy (ids unique), each after what it refers to. */
export function identifyEntries(entries: readonly AnyEntry[]): readonly IdentifiedEntry[] {
  const known = new Map<string, IdentifiedEntry>();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of parentsFirst(entries, (id) => byId.get(id))) {
    known.set(
      entry.id,
      identify(entry, (id) => known.get(id)?.identity),
    );
  }
  return [...known.values()];
}

/** The entry with references that named nothing in its copy resolved elsewhere, which gives it another identity. */
export function identifyAgain(
  { entry, references }: IdentifiedEntry,
  identityOf: (id: string) => string | undefined,
): IdentifiedEntry {
  return identify(entry, (id, name) => references[name] ?? identityOf(id));
}

function identify(
  entry: AnyEntry,
  identityOf: (id: string, reference: string) => string | undefined,
): IdentifiedEntry {
  const { id, originalId = id, ...fields } = entry as AnyEntry & { readonly originalId?: string };
  const references: Record<string, string> = {};
  for (const name of REFERENCES) {
    const target = (fields as Readonly<Record<string, unknown>>)[name];
    if (typeof target !== "string") continue;
    const identity = target === id ? "self" : identityOf(target, name);
    if (identity !== undefined) references[name] = identity;
  }
  const identity = hashOf({ ...fields, ...references, originalId });
  return { identity, originalId, entry, references };
}

/** The entries in the given order, but each after those that it refers to. Circles are cut somewhere. */
export function parentsFirst(
  entries: readonly AnyEntry[],
  get: (id: string) => AnyEntry | undefined,
): readonly AnyEntry[] {
  const placed = new Set<string>();
  const begun = new Set<string>();
  const result: AnyEntry[] = [];
  for (const first of entries) {
    const stack = [first];
    for (let entry = stack.at(-1); entry !== undefined; entry = stack.at(-1)) {
      const isBegun = begun.has(entry.id);
      begun.add(entry.id);
      const waiting = isBegun ? [] : referred(entry).filter((id) => !begun.has(id));
      const missing = waiting.flatMap((id) => get(id) ?? []);
      stack.push(...missing);
      if (missing.length > 0) continue;
      stack.pop();
      if (placed.has(entry.id)) continue;
      placed.add(entry.id);
      result.push(entry);
    }
  }
  return result;
}

function referred(entry: AnyEntry): readonly string[] {
  const fields = entry as unknown as Readonly<Record<string, unknown>>;
  return REFERENCES.flatMap((name) => {
    const id = fields[name];
    return typeof id === "string" && id !== entry.id ? [id] : [];
  });
}

/** An entry under another id, its references renamed. */
export function renamed(
  { entry, originalId, references }: IdentifiedEntry,
  idOf: (identity: string) => string | undefined,
  id: string,
): AnyEntry {
  const { originalId: _, ...fields } = entry as AnyEntry & { readonly originalId?: string };
  const names: Record<string, string> = {};
  for (const [name, identity] of Object.entries(references)) {
    const found = identity === undefined || identity === "self" ? id : idOf(identity);
    if (found !== undefined) names[name] = found;
  }
  return { ...fields, id, ...names, ...(id === originalId ? {} : { originalId }) } as unknown as AnyEntry;
}

/** 64 hex characters over a value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([key, field]) => [key, sorted(field)]);
}
