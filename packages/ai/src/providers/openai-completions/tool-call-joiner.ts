import { ProviderError } from "../../provider-error.ts";
import type { AnswerBuilder } from "../answer-builder.ts";
import { JsonShape } from "./json-shape.ts";
import type { WireToolCallDelta } from "./wire.ts";

interface OpenCall {
  readonly key: string;
  readonly id: string;
  name: string;
  /** Argument text that came before the name. */
  waiting: string;
  readonly shape: JsonShape;
  isAnnounced: boolean;
}

/**
 * Puts the pieces of tool calls together although servers disagree on what names a call.
 *
 * The index decides. Another id at the same index is still the same call (gateways renumber ids in every piece), unless
 * it brings a name or the arguments so far are whole: then a new call starts. Pieces without an index belong to the
 * call with their id, else to the only call; if that leaves a choice, the stream is an error and nothing runs.
 */
export class ToolCallJoiner {
  readonly #answer: AnswerBuilder;
  readonly #newId: () => string;
  readonly #calls: OpenCall[] = [];
  /** The call that each index means at present. */
  readonly #byIndex = new Map<number, OpenCall>();

  constructor(answer: AnswerBuilder, newId: () => string) {
    this.#answer = answer;
    this.#newId = newId;
  }

  add(delta: WireToolCallDelta): void {
    const piece = {
      index: typeof delta.index === "number" ? delta.index : undefined,
      id: textOf(delta.id),
      name: textOf(delta.function?.name),
      text: argumentText(delta.function?.arguments),
    };
    const call = this.#find(piece) ?? this.#open(piece);
    if (call.name === "" && piece.name !== "") call.name = piece.name;
    call.shape.add(piece.text);
    if (call.isAnnounced) this.#answer.callArguments(call.key, piece.text);
    else {
      call.waiting += piece.text;
      if (call.name !== "") this.#announce(call);
    }
  }

  /** Announces calls that never got a name, so that they are answered and not lost. */
  end(): void {
    for (const call of this.#calls) if (!call.isAnnounced) this.#announce(call);
  }

  #find(piece: Piece): OpenCall | undefined {
    if (piece.index !== undefined) {
      const call = this.#byIndex.get(piece.index);
      return call === undefined || startsAnother(call, piece) ? undefined : call;
    }
    if (piece.id !== "") return this.#calls.find((call) => call.id === piece.id);
    if (piece.name !== "") return undefined;
    if (this.#calls.length > 1) {
      throw new ProviderError({
        code: "malformed_stream",
        message: "A piece of a tool call names neither its index nor its id, and several calls are open.",
      });
    }
    return this.#calls[0];
  }

  #open(piece: Piece): OpenCall {
    const id = piece.id === "" ? `call_${this.#newId()}` : piece.id;
    const key = `call ${this.#calls.length}`;
    const call = { key, id, name: piece.name, waiting: "", shape: new JsonShape(), isAnnounced: false };
    this.#calls.push(call);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    return call;
  }

  #announce(call: OpenCall): void {
    call.isAnnounced = true;
    this.#answer.call(call.key, { id: call.id, name: call.name });
    this.#answer.callArguments(call.key, call.waiting);
    call.waiting = "";
  }
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function startsAnother(call: OpenCall, piece: Piece): boolean {
  if (piece.id === "" || piece.id === call.id) return false;
  return piece.name !== "" || (piece.text !== "" && call.shape.isWhole);
}

/** Some servers send the arguments as an object. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
