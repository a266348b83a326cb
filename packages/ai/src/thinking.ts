import type { Model } from "./model.ts";
import { THINKING_LEVELS, type ThinkingLevel } from "./thinking-level.ts";

/** Levels that a model has only when its entry names them. */
const EXPLICIT_LEVELS: ReadonlySet<ThinkingLevel> = new Set(["xhigh", "max"]);

/** The levels a model knows, weakest first. A model that does not reason knows only `off`. */
export function supportedThinkingLevels(
  model: Pick<Model, "reasoning" | "thinkingLevels">,
): readonly ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  return THINKING_LEVELS.filter((level) => {
    const word = model.thinkingLevels?.[level];
    return word !== null && (word !== undefined || !EXPLICIT_LEVELS.has(level));
  });
}

/** The nearest level the model knows: the next stronger one, else the next weaker. */
export function clampThinkingLevel(
  model: Pick<Model, "reasoning" | "thinkingLevels">,
  level: ThinkingLevel,
): ThinkingLevel {
  const supported = supportedThinkingLevels(model);
  const wanted = THINKING_LEVELS.indexOf(level);
  const stronger = supported.find((candidate) => THINKING_LEVELS.indexOf(candidate) >= wanted);
  return stronger ?? supported.at(-1) ?? "off";
}

/** The API's word for a level: the model's own, else the level itself. Clamp first. */
export function thinkingWord(model: Pick<Model, "thinkingLevels">, level: ThinkingLevel): string {
  return model.thinkingLevels?.[level] ?? level;
}

/** Tokens to think with, for APIs that want a budget. */
export const THINKING_BUDGET_TOKENS: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 16_384,
  max: 16_384,
};
