import { createHash } from "node:crypto";

/** A part of a prompt that a cache keeps or drops as a whole: the tools, the system prompt, one message. */
export interface PromptUnit {
  readonly text: string;
  readonly tokens: number;
}

interface PromptSize {
  readonly promptTokens: number;
  /** Tokens of the longest prefix that an earlier prompt under the same key had in common. */
  readonly cachedTokens: number;
}

/** Simulates a provider's prompt cache: it knows every prefix it was sent under a key, and never forgets. */
export interface PrefixCache {
  /**
   * Measures a prompt and stores its prefixes. An undefined key neither reads nor writes. `breakpoints` are the unit
   * counts at which a prefix is stored; absent = after every unit.
   */
  measure(key: string | undefined, units: readonly PromptUnit[], breakpoints?: readonly number[]): PromptSize;
}

/** Characters a token, the rule of thumb for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text by the rule of thumb; 0 only for an empty text. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** A prompt unit of plain text. */
export function textUnit(text: string): PromptUnit {
  return { text, tokens: roughTokens(text) };
}

/** An empty prompt cache. */
export function createPrefixCache(): PrefixCache {
  const known = new Map<string, Set<string>>();
  return {
    measure(key, units, breakpoints) {
      const prefixes = key === undefined ? new Set<string>() : (known.get(key) ?? new Set<string>());
      if (key !== undefined) known.set(key, prefixes);
      let promptTokens = 0;
      let cachedTokens = 0;
      let chain = "";
      for (const [index, unit] of units.entries()) {
        promptTokens += unit.tokens;
        chain = createHash("sha256").update(chain).update(unit.text).digest("base64");
        if (prefixes.has(chain)) cachedTokens = promptTokens;
        if (breakpoints === undefined || breakpoints.includes(index + 1)) prefixes.add(chain);
      }
      return { promptTokens, cachedTokens };
    },
  };
}
