import { type Model, modelName } from "./model.ts";
import { ProviderError } from "./provider-error.ts";
import { THINKING_LEVELS, type ThinkingLevel } from "./thinking-level.ts";

/** A model that was asked for by name, with the thinking level if the name ended in one (`sonnet:high`). */
export interface ModelChoice {
  readonly model: Model;
  readonly thinkingLevel?: ThinkingLevel;
}

const MAX_SUGGESTIONS = 5;
/** How much less a part that is like the name counts than a whole id. */
const PART_DISCOUNT = 0.2;
/** Longer runs of digits in an id are dates, not versions. */
const MAX_VERSION_DIGITS = 4;

/**
 * The model that a name means, best reading first: `provider/id`, then an id, then a pattern.
 *
 * A pattern is part of an id or name, or has `*` for any characters; case does not count. Of several matches the newest
 * version wins, vendors' own models before those that resell them (ids with a `/`). Throws `unknown_model` with the
 * closest names, or `ambiguous_model` with the candidates.
 */
export function matchModel(name: string, models: readonly Model[]): ModelChoice {
  const wanted = name.trim();
  const plain = matchName(wanted, models);
  if (plain.length === 1 && plain[0] !== undefined) return { model: plain[0] };
  const { base, level } = splitLevel(wanted);
  const matches = level === undefined ? plain : matchName(base, models);
  const [model, ...others] = matches;
  if (model === undefined) throw unknownModel(base, models);
  if (others.length > 0) throw ambiguousModel(base, matches);
  return { model, ...(level === undefined ? {} : { thinkingLevel: level }) };
}

function splitLevel(name: string): { readonly base: string; readonly level?: ThinkingLevel } {
  const at = name.lastIndexOf(":");
  const level = THINKING_LEVELS.find((candidate) => candidate === name.slice(at + 1).toLowerCase());
  return at < 0 || level === undefined ? { base: name } : { base: name.slice(0, at), level };
}

/** No match, the match, or all that are equally good. */
function matchName(name: string, models: readonly Model[]): readonly Model[] {
  if (name === "") return [];
  const lower = name.toLowerCase();
  const readings: readonly ((model: Model) => boolean)[] = [
    (model) => modelName(model) === name,
    (model) => modelName(model).toLowerCase() === lower,
    (model) => model.id === name,
    (model) => model.id.toLowerCase() === lower,
  ];
  for (const reading of readings) {
    const found = models.filter(reading);
    if (found.length > 0) return found;
  }
  return newest(vendorsFirst(models.filter(patternOf(lower))));
}

function patternOf(pattern: string): (model: Model) => boolean {
  if (!pattern.includes("*")) {
    return (model) =>
      modelName(model).toLowerCase().includes(pattern) || model.name.toLowerCase().includes(pattern);
  }
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const regex = new RegExp(`^${parts.join(".*")}$`);
  return (model) => regex.test(model.id.toLowerCase()) || regex.test(modelName(model).toLowerCase());
}

function vendorsFirst(models: readonly Model[]): readonly Model[] {
  const vendors = models.filter((model) => !model.id.includes("/"));
  return vendors.length > 0 ? vendors : models;
}

function newest(models: readonly Model[]): readonly Model[] {
  const best = models.reduce<Model | undefined>(
    (top, model) => (top === undefined || compareVersions(model.id, top.id) > 0 ? model : top),
    undefined,
  );
  const equals = models.filter((model) => best !== undefined && compareVersions(model.id, best.id) === 0);
  // A plain id comes before its variants (`…:batch`, `…:free`).
  const plain = equals.filter((model) => !model.id.includes(":"));
  return undatedFirst(plain.length > 0 ? plain : equals);
}

function undatedFirst(equals: readonly Model[]): readonly Model[] {
  // The name without a date means the model that the dated names are snapshots of.
  const undated = equals.filter((model) => !hasDate(model.id));
  return undated.length > 0 ? undated : equals;
}

/** Positive when `a` is the newer version: numbers are compared in order, as long as both have one. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [versionOf(a), versionOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? -1) - (right[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function versionOf(id: string): readonly number[] {
  return (id.match(/\d+/g) ?? []).filter((digits) => digits.length <= MAX_VERSION_DIGITS).map(Number);
}

function hasDate(id: string): boolean {
  return /\d{6,}|\d{4}-\d{2}-\d{2}/.test(id);
}

function unknownModel(name: string, models: readonly Model[]): ProviderError {
  const closest = closestNames(name, models);
  return new ProviderError({
    code: "unknown_model",
    message: `There is no model "${name}".${closest.length === 0 ? "" : ` Closest: ${closest.join(", ")}.`}`,
    data: { closest },
  });
}

function ambiguousModel(name: string, matches: readonly Model[]): ProviderError {
  const candidates = matches.map(modelName);
  const shown = candidates.slice(0, MAX_SUGGESTIONS).join(", ");
  const rest = candidates.length - MAX_SUGGESTIONS;
  return new ProviderError({
    code: "ambiguous_model",
    message: `"${name}" fits several models: ${shown}${rest > 0 ? ` and ${rest} more` : ""}.`,
    data: { candidates },
  });
}

function closestNames(name: string, models: readonly Model[]): readonly string[] {
  const wanted = name.toLowerCase();
  const scored = models.map((model) => ({
    name: modelName(model),
    score: Math.max(
      likeness(wanted, model.id.toLowerCase()),
      likeness(wanted, modelName(model).toLowerCase()),
      // A misspelt part (`sonet`) is short against the ids that it is meant for.
      ...wordsOf(model).map((word) => likeness(wanted, word) - PART_DISCOUNT),
    ),
  }));
  return scored
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map((entry) => entry.name);
}

/** The words of an id, and each with the one after it (`gpt5` is meant for `gpt-5`). */
function wordsOf({ id, provider }: Model): readonly string[] {
  const words = id.toLowerCase().split(/[^a-z0-9.]+/);
  return [provider.toLowerCase(), ...words, ...words.slice(1).map((word, at) => `${words[at]}${word}`)];
}

/** Share of letter pairs that two words have in common, 0 to 1 (Dice). */
function likeness(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared++;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

function pairsOf(word: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)));
}
