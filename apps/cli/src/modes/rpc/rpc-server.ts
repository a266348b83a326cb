import { failureOf } from "../../render/error-text.ts";
import { complaintAbout } from "./fields.ts";
import type { RpcHandlers, RpcHost } from "./handler.ts";
import { RPC_HANDLERS } from "./handlers.ts";
import type { DecodedLine } from "./line-decoder.ts";
import { RPC_COMMANDS, type RpcCommandName, type RpcFailure, type RpcResponse } from "./protocol.ts";

export interface RpcServerOptions {
  readonly host: RpcHost;
  readonly write: (response: RpcResponse) => Promise<void>;
  readonly handlers?: RpcHandlers;
}

/** A line, understood: what is to be done, or why nothing is. */
type Understood = { readonly id?: string | number; readonly command?: string } & (
  | { readonly name: RpcCommandName; readonly params: Readonly<Record<string, unknown>> }
  | { readonly error: RpcFailure }
);

/** How a line is answered that is no command. */
const IN_TURN = { isLong: false, isAtOnce: false };

/**
 * Answers lines. Commands start in the order of their lines, each when the one before has been answered, long ones
 * aside, and those that are taken at once; whatever a line holds, it gets one answer and the next line is read (fault
 * B219).
 */
export class RpcServer {
  readonly #options: RpcServerOptions;
  readonly #running = new Set<Promise<void>>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: RpcServerOptions) {
    this.#options = options;
  }

  take(line: DecodedLine): void {
    const understood = understand(line);
    if (understood === undefined) return;
    const { isLong, isAtOnce } = "name" in understood ? RPC_COMMANDS[understood.name] : IN_TURN;
    if (isAtOnce) return void this.#begin(understood);
    this.#turn = this.#turn.then(() => {
      const answered = this.#begin(understood);
      return isLong ? undefined : answered;
    });
  }

  /** Resolves when everything that was taken is answered. */
  async idle(): Promise<void> {
    await this.#turn;
    await Promise.all(this.#running);
  }

  #begin(understood: Understood): Promise<void> {
    const answered = this.#answer(understood);
    this.#running.add(answered);
    void answered.finally(() => this.#running.delete(answered));
    return answered;
  }

  async #answer(understood: Understood): Promise<void> {
    const { id, command } = understood;
    const head = {
      type: "response",
      ...(id === undefined ? {} : { id }),
      ...(command === undefined ? {} : { command }),
    } as const;
    try {
      if ("error" in understood) {
        await this.#options.write({ ...head, success: false, error: understood.error });
        return;
      }
      const { host, handlers = RPC_HANDLERS } = this.#options;
      // The parameters were checked against the fields of this very command.
      const handle = handlers[understood.name] as (host: RpcHost, params: unknown) => Promise<unknown>;
      const data = await handle(host, understood.params);
      await this.#options.write({ ...head, success: true, data });
    } catch (error) {
      await this.#options.write({ ...head, success: false, error: failureFrom(error) });
    }
  }
}

/** Undefined for a blank line. */
function understand(line: DecodedLine): Understood | undefined {
  if ("tooLong" in line) return { error: { code: "invalid_json", message: "The line is too long." } };
  if (line.text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { error: { code: "invalid_json", message: `The line is no JSON: ${failureOf(error).message}` } };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { error: { code: "invalid_command", message: "A command is an object with a type." } };
  }
  const { id, type, ...params } = value as Readonly<Record<string, unknown>>;
  const isId = typeof id === "string" || typeof id === "number";
  const head = { ...(isId ? { id } : {}), ...(typeof type === "string" ? { command: type } : {}) };
  // Without an id that comes back, whoever sent it could not tell the answer.
  if (id !== undefined && !isId)
    return { ...head, error: { code: "invalid_command", message: "The id must be a text or a number." } };
  if (!isCommand(type)) {
    const known = Object.keys(RPC_COMMANDS).join(", ");
    const message = `There is no command ${JSON.stringify(type) ?? "without a type"}.`;
    return { ...head, error: { code: "unknown_command", message, advice: `Commands: ${known}.` } };
  }
  const complaint = complaintAbout(params, RPC_COMMANDS[type].fields);
  if (complaint !== undefined)
    return { ...head, error: { code: "invalid_params", message: `In ${type}, ${complaint}.` } };
  return { ...head, name: type, params };
}

function isCommand(type: unknown): type is RpcCommandName {
  return typeof type === "string" && Object.hasOwn(RPC_COMMANDS, type);
}

/** A failure as a client is told of it. */
export function failureFrom(error: unknown): RpcFailure {
  const { message, advice } = failureOf(error);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "failed";
  return { code, message, ...(advice === undefined ? {} : { advice }) };
}
