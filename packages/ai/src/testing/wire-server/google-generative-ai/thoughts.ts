import { createSignatures, type Signatures } from "../anthropic-messages/signatures.ts";
import { isJsonObject, type JsonObject } from "../json-shape.ts";
import { contentsOf, partsOf, roleOf } from "./parts.ts";

/**
 * Which calls of the present turn must carry a thought signature: those that this server signed (`issued`), the first
 * one of every step as Gemini 3 wants it (`required`), or none (`optional`).
 */
export type ThoughtSignatures = "issued" | "required" | "optional";

/** What the server remembers of its signatures, to check them when they come back. */
export interface Thoughts {
  readonly rule: ThoughtSignatures;
  readonly signatures: Signatures;
  /** Notes that a call was sent with a signature. */
  signed(call: JsonObject): void;
  wasSigned(call: JsonObject): boolean;
}

/** Servers of one seed take each other's signatures; which call was signed is known to one server only. */
export function createThoughts(options: {
  readonly seed: string;
  readonly thoughtSignatures: ThoughtSignatures;
}): Thoughts {
  const calls = new Set<string>();
  const keyOf = (call: JsonObject) =>
    typeof call.id === "string"
      ? `id ${call.id}`
      : `call ${call.name} ${JSON.stringify(isJsonObject(call.args) ? call.args : {})}`;
  return {
    rule: options.thoughtSignatures,
    signatures: createSignatures(`google/${options.seed}`),
    signed: (call) => {
      const { id: _, ...nameless } = call;
      calls.add(keyOf(call)).add(keyOf(nameless));
    },
    wasSigned: (call) => calls.has(keyOf(call)),
  };
}

/** Stand-ins that the API takes for calls of other models: https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11). */
const STAND_INS: readonly unknown[] = [
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
];

/** The first signature that is foreign, or missing where the present turn needs it. */
export function thoughtProblem(body: JsonObject, thoughts: Thoughts): string | undefined {
  const contents = contentsOf(body);
  for (const part of contents.flatMap(partsOf)) {
    const { thoughtSignature: signature } = part;
    if (signature === undefined || STAND_INS.includes(signature)) continue;
    if (!thoughts.signatures.isIssued(String(signature))) return "Corrupted thought signature.";
  }
  const start = presentTurnStart(contents);
  for (const [index, content] of contents.entries()) {
    if (index <= start || roleOf(content) !== "model") continue;
    const first = partsOf(content).find((part) => isJsonObject(part.functionCall));
    if (first === undefined || first.thoughtSignature !== undefined) continue;
    const call = isJsonObject(first.functionCall) ? first.functionCall : {};
    if (thoughts.rule === "required" || (thoughts.rule === "issued" && thoughts.wasSigned(call)))
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${call.name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
  }
  return undefined;
}

/** The present turn begins at the last content of the user's own: anything that is not a function response. */
function presentTurnStart(contents: readonly JsonObject[]): number {
  return contents.findLastIndex(
    (content) =>
      roleOf(content) === "user" && partsOf(content).some((part) => part.functionResponse === undefined),
  );
}
