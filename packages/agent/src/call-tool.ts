import { type AssistantMessage, type ToolCall, validateToolArguments } from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";
import { runHook } from "./hook-runner.ts";
import type { AnyAgentTool, ToolResult } from "./tool.ts";
import { errorInsteadOf, errorResult, normalizeResult } from "./tool-outcome.ts";
import { untilAborted } from "./until-aborted.ts";
import { GAVE_UP, withGrace } from "./with-grace.ts";

/** What became of a call before it ran: ready with its final arguments, or answered already. */
export type Preflight =
  | { readonly kind: "ready"; readonly tool: AnyAgentTool; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "answered"; readonly result: ToolResult };

export interface Batch {
  readonly message: AssistantMessage;
  readonly tools: readonly AnyAgentTool[];
}

const ABORTED_BEFORE_START = "Aborted by the user before this call started. It did not run.";

/** Find, validate, ask the `tool_call` hook, validate what it changed. Never throws. */
export async function preflight(run: AgentRun, batch: Batch, call: ToolCall): Promise<Preflight> {
  const refusal = refuse(run, batch, call);
  if (refusal !== undefined) return answered(refusal);
  const tool = batch.tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return answered(unknownTool(batch.tools, call.name));
  try {
    return await checked(run, tool, call);
  } catch (error) {
    // A guard that fails, and anything unforeseen: the call stays closed.
    return answered(run.signal.aborted ? ABORTED_BEFORE_START : `Blocked: ${messageOf(error)}`);
  }
}

async function checked(run: AgentRun, tool: AnyAgentTool, call: ToolCall): Promise<Preflight> {
  const first = await validateToolArguments(tool, structuredClone(call.arguments));
  if (!first.ok) return answered(first.message);
  let input = first.value;
  if (run.hooks.has("tool_call")) {
    const verdict = await untilAborted(
      runHook(run.hooks, "tool_call", { call, input }, run.signal),
      run.signal,
    );
    if (verdict?.block) return answered(`Blocked: ${verdict.reason ?? "no reason was given"}`);
    const second = await validateToolArguments(tool, verdict?.input ?? input);
    if (!second.ok) return answered(`A hook changed the arguments. ${second.message}`);
    input = second.value;
  }
  return run.signal.aborted ? answered(ABORTED_BEFORE_START) : { kind: "ready", tool, input };
}

function refuse(run: AgentRun, batch: Batch, call: ToolCall): string | undefined {
  if (run.signal.aborted) return ABORTED_BEFORE_START;
  if (batch.message.stopReason === "length") {
    return "The answer reached its length limit, so this call may be cut off and did not run. Call again, with shorter arguments or in several steps.";
  }
  if (call.argumentsError !== undefined) {
    return `The arguments of ${call.name} are not a JSON object, so the call did not run: ${call.argumentsError}`;
  }
  return undefined;
}

function unknownTool(tools: readonly AnyAgentTool[], name: string): string {
  const known = tools.map((tool) => tool.name).join(", ");
  return `There is no tool named ${JSON.stringify(name)}. Known tools: ${known === "" ? "none" : known}.`;
}

/**
 * Runs a ready call and lets the `tool_result` hook change what came out. Never throws.
 *
 * An abort since its preflight (another call of the batch may have waited for a person) keeps it from starting.
 */
export async function execute(
  run: AgentRun,
  call: ToolCall,
  ready: Extract<Preflight, { kind: "ready" }>,
  onUpdate: (partial: ToolResult) => void,
): Promise<ToolResult> {
  if (run.signal.aborted) return errorResult(ABORTED_BEFORE_START);
  const { tool, input } = ready;
  const context = { toolCallId: call.id, toolName: call.name, now: run.now };
  let result: ToolResult;
  try {
    const finished = await withGrace(
      Promise.resolve(tool.execute(call.id, input, run.signal, onUpdate, context)),
      run,
    );
    result = finished === GAVE_UP ? leftBehind(run) : normalizeResult(call.name, finished);
  } catch (error) {
    result = errorResult(run.signal.aborted ? `Aborted by the user. ${messageOf(error)}` : messageOf(error));
  }
  return afterExecution(run, { call, input, result });
}

interface Execution {
  readonly call: ToolCall;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

/** Runs also after an abort: the hook may be what keeps secrets out of the transcript. */
async function afterExecution(run: AgentRun, { call, input, result }: Execution): Promise<ToolResult> {
  if (!run.hooks.has("tool_result")) return result;
  const outcome = { call, input, ...result, isError: result.isError ?? false };
  try {
    const changed = await withGrace(runHook(run.hooks, "tool_result", outcome, run.signal), run);
    if (changed === GAVE_UP)
      return errorInsteadOf(result, "Aborted by the user. The result was not released by a hook.");
    const { call: _call, input: _input, ...kept } = changed;
    return normalizeResult(call.name, { ...result, ...kept });
  } catch (error) {
    return errorInsteadOf(result, `The result was held back: ${messageOf(error)}`);
  }
}

function leftBehind(run: AgentRun): ToolResult {
  return errorResult(
    `Aborted by the user. The tool did not stop within ${run.graceMs} ms and may still be running.`,
  );
}

function answered(text: string): Preflight {
  return { kind: "answered", result: errorResult(text) };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
