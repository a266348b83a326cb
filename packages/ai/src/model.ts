import type { ThinkingLevel } from "./thinking-level.ts";

/** USD per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface PriceTier extends Prices {
  /** The tier prices a whole request whose prompt has more tokens than this. */
  readonly inputTokensAbove: number;
}

export interface ModelCost extends Prices {
  readonly tiers?: readonly PriceTier[];
}

export type InputKind = "text" | "image";

/**
 * A model behind one wire API.
 *
 * `contextWindow` and `maxTokens` are tokens; `maxTokens` is the largest output. `thinkingLevels` maps a level to the
 * API's own word; `null` = unsupported, absent = the wire format's default. `quirks` are facts about a server's dialect.
 */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** Wire format: the id of the `Provider` implementation that speaks it, for example `anthropic-messages`. */
  readonly api: string;
  /** Vendor or server, for example `anthropic`; with `id` it names the model: `anthropic/claude-…`. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly reasoning: boolean;
  readonly input: readonly InputKind[];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly cost: ModelCost;
  readonly thinkingLevels?: Readonly<Partial<Record<ThinkingLevel, string | null>>>;
  readonly quirks?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `provider/id`: the unique name of a model. */
export function modelName(model: Pick<Model, "provider" | "id">): string {
  return `${model.provider}/${model.id}`;
}
