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

/** What a model takes of images where that differs from its wire format; a request beyond it would be refused. */
export interface ImageLimits {
  readonly mimeTypes?: readonly string[];
  /** Pixels of the longer side. Larger images are made smaller for this model. */
  readonly maxSidePx?: number;
  /** Bytes of the base64 text of one image. */
  readonly maxBase64Bytes?: number;
  /** Images of one request. */
  readonly maxImages?: number;
  /** Bytes of the base64 text of all images of a request. */
  readonly maxTotalBase64Bytes?: number;
}

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
  readonly imageLimits?: ImageLimits;
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
