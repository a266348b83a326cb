/**
 * A piece of reasoning as OpenRouter passes it on. The list goes back in its order with every field, known or not.
 *
 * Source: https://openrouter.ai/docs/use-cases/reasoning-tokens (2026-11).
 */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/** The fields that stream in pieces, by type; encrypted pieces come whole. */
const STREAMED: Readonly<Record<string, string>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
};

/** Collects the details of one run of reasoning: pieces with one type and one index are one detail. */
export class ReasoningDetails {
  readonly #details: Record<string, unknown>[] = [];

  /** Adds what a chunk brings and returns the text in it. */
  add(value: unknown): string {
    let text = "";
    for (const detail of detailsOf(value)) {
      const field = STREAMED[String(detail.type)];
      if (field !== undefined && typeof detail[field] === "string") text += detail[field];
      this.#join(detail, field);
    }
    return text;
  }

  /** What a block keeps of them as its signature. */
  signature(): string | undefined {
    return this.#details.length === 0 ? undefined : JSON.stringify(this.#details);
  }

  #join(detail: ReasoningDetail, field: string | undefined): void {
    const last = this.#details.at(-1);
    const isNext =
      field !== undefined &&
      last !== undefined &&
      typeof detail.index === "number" &&
      last.type === detail.type &&
      last.index === detail.index;
    if (!isNext) {
      this.#details.push({ ...detail });
      return;
    }
    const known = Object.entries(detail).filter(([key, value]) => key !== field && value !== null);
    Object.assign(last, Object.fromEntries(known), { [field]: `${last[field] ?? ""}${detail[field] ?? ""}` });
  }
}

/** The details in a thinking signature (a list) or a call's thought signature (one, as other agents store it). */
export function detailsInSignature(signature: string | undefined): readonly ReasoningDetail[] {
  if (signature === undefined || !/^[[{]/.test(signature)) return [];
  try {
    const value: unknown = JSON.parse(signature);
    return detailsOf(Array.isArray(value) ? value : [value]);
  } catch {
    return [];
  }
}

function detailsOf(value: unknown): readonly ReasoningDetail[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => /^reasoning\./.test(String((each as ReasoningDetail | null)?.type)));
}
