import type { Phase } from "./wire.ts";

/** What stands in the `textSignature` of a text block: the item's id and whether the text was the answer or on the way. */
interface TextSignature {
  readonly v: 1;
  readonly id?: string;
  readonly phase?: Phase;
}

/** The signature for a message item; undefined when there is nothing to keep. */
export function signatureOf(item: { readonly id?: unknown; readonly phase?: unknown }): string | undefined {
  const id = typeof item.id === "string" && item.id !== "" ? { id: item.id } : {};
  const phase = isPhase(item.phase) ? { phase: item.phase } : {};
  const signature: TextSignature = { v: 1, ...id, ...phase };
  return Object.keys(signature).length === 1 ? undefined : JSON.stringify(signature);
}

/** The phase in a signature; undefined for none, also in signatures of another form. */
export function phaseOf(signature: string | undefined): Phase | undefined {
  if (signature === undefined || !signature.startsWith("{")) return undefined;
  try {
    const phase: unknown = JSON.parse(signature)?.phase;
    return isPhase(phase) ? phase : undefined;
  } catch {
    return undefined;
  }
}

function isPhase(value: unknown): value is Phase {
  return value === "commentary" || value === "final_answer";
}
