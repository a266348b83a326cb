import { type TSchema, Type } from "typebox";
import type { AgentTool, ToolResult } from "../index.ts";

/** One call of a scripted tool, in the hands of the test. */
export interface ScriptedCall {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Reports progress as the tool would; a string becomes text. */
  update(partial: string | ToolResult): void;
  finish(result: string | ToolResult): void;
  fail(error: unknown): void;
}

export interface ScriptedTool extends AgentTool<TSchema> {
  /** Calls that have begun, in order. */
  readonly calls: readonly ScriptedCall[];
  /** The call with this number, counted from 0, as soon as it has begun. */
  started(index: number): Promise<ScriptedCall>;
}

export interface ScriptedToolOptions {
  /** Absent = any object. */
  readonly parameters?: TSchema;
  readonly executionMode?: "parallel" | "sequential";
  /** Answers every call at once, a throw fails it; absent = a call is open until the test finishes it. */
  readonly respond?: string | ToolResult | ((call: ScriptedCall) => string | ToolResult);
  /** Ends open calls with an error when the run is aborted; default true. */
  readonly obeysAbort?: boolean;
}

/** A tool whose calls begin and end when the test says so: no clock, no sleep. */
export function scriptedTool(name: string, options: ScriptedToolOptions = {}): ScriptedTool {
  const calls: ScriptedCall[] = [];
  const waiting = new Map<number, PromiseWithResolvers<ScriptedCall>>();
  const { respond, obeysAbort = true } = options;

  const begin = (call: ScriptedCall): void => {
    calls.push(call);
    waiting.get(calls.length - 1)?.resolve(call);
    if (respond === undefined) return;
    try {
      call.finish(typeof respond === "function" ? respond(call) : respond);
    } catch (error) {
      call.fail(error);
    }
  };
  return {
    name,
    description: `Scripted tool ${name}.`,
    parameters: options.parameters ?? Type.Object({}, { additionalProperties: true }),
    ...(options.executionMode === undefined ? {} : { executionMode: options.executionMode }),
    calls,
    async started(index) {
      const call = calls[index];
      if (call !== undefined) return call;
      const slot = waiting.get(index) ?? Promise.withResolvers<ScriptedCall>();
      waiting.set(index, slot);
      return slot.promise;
    },
    async execute(id, params, signal, onUpdate) {
      const outcome = Promise.withResolvers<ToolResult>();
      if (obeysAbort) {
        signal.addEventListener("abort", () => outcome.reject(new Error(`${name} stopped.`)), { once: true });
      }
      begin({
        id,
        params: params as Readonly<Record<string, unknown>>,
        signal,
        update: (partial) => onUpdate(toResult(partial)),
        finish: (result) => outcome.resolve(toResult(result)),
        fail: outcome.reject,
      });
      return outcome.promise;
    },
  };
}

function toResult(result: string | ToolResult): ToolResult {
  return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
}
