import { type ToolCall, type ToolResultMessage, toolCallsOf } from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";
import { type Batch, execute, type Preflight, preflight } from "./call-tool.ts";
import type { AgentEvent } from "./events.ts";
import { endMessage } from "./record-message.ts";
import type { ToolResult } from "./tool.ts";
import { ToolEventQueue } from "./tool-event-queue.ts";
import { resultMessage } from "./tool-outcome.ts";

export interface BatchResults {
  /** One per call, in the order of the calls. */
  readonly results: readonly ToolResultMessage[];
  /** Every result asked the run to end. */
  readonly terminate: boolean;
}

/**
 * Answers every call of an assistant message.
 *
 * Preflight runs in call order; execution overlaps unless a tool of the batch is sequential. A result enters the
 * transcript as soon as those before it are there.
 */
export async function* runTools(run: AgentRun, batch: Batch): AsyncGenerator<AgentEvent, BatchResults, void> {
  const calls = toolCallsOf(batch.message);
  if (calls.length === 0) return { results: [], terminate: false };
  const queue = new ToolEventQueue();
  const recorder = new ResultRecorder(run, queue, calls);
  const work = (isSequential(batch, calls) ? oneByOne : sideBySide)({ run, batch, calls, queue, recorder });
  const finished = work.finally(() => queue.close());
  yield* queue.drain();
  await finished;
  return { results: recorder.messages, terminate: recorder.terminate };
}

interface BatchWork {
  readonly run: AgentRun;
  readonly batch: Batch;
  readonly calls: readonly ToolCall[];
  readonly queue: ToolEventQueue;
  readonly recorder: ResultRecorder;
}

function isSequential(batch: Batch, calls: readonly ToolCall[]): boolean {
  const sequential = new Set(
    batch.tools.filter((tool) => tool.executionMode === "sequential").map((tool) => tool.name),
  );
  return calls.some((call) => sequential.has(call.name));
}

async function oneByOne(work: BatchWork): Promise<void> {
  for (const [index, call] of work.calls.entries()) {
    await finish(work, index, call, await start(work, call));
  }
}

async function sideBySide(work: BatchWork): Promise<void> {
  const ready: Preflight[] = [];
  for (const call of work.calls) ready.push(await start(work, call));
  await Promise.all(work.calls.map((call, index) => finish(work, index, call, ready[index] as Preflight)));
}

async function start({ run, batch, queue }: BatchWork, call: ToolCall): Promise<Preflight> {
  await queue.emit({
    type: "tool_execution_start",
    toolCallId: call.id,
    toolName: call.name,
    args: call.arguments,
  });
  return preflight(run, batch, call);
}

async function finish(work: BatchWork, index: number, call: ToolCall, ready: Preflight): Promise<void> {
  const { run, queue, recorder } = work;
  const ids = { toolCallId: call.id, toolName: call.name };
  const startedAt = run.now();
  let settled = false;
  const onUpdate = (partial: ToolResult) => {
    // A late report of a tool that has ended already would bring its row back to life.
    if (!settled) queue.emitLatest(String(index), { type: "tool_execution_update", ...ids, partial });
  };
  const result = ready.kind === "ready" ? await execute(run, call, ready, onUpdate) : ready.result;
  settled = true;
  const isError = result.isError ?? false;
  const durationMs = run.now() - startedAt;
  await queue.emit({ type: "tool_execution_end", ...ids, result, isError, durationMs });
  await recorder.record(index, result);
}

/** Holds results back until those before them are in the transcript. */
class ResultRecorder {
  readonly messages: ToolResultMessage[] = [];
  terminate = true;
  readonly #run: AgentRun;
  readonly #queue: ToolEventQueue;
  readonly #calls: readonly ToolCall[];
  readonly #results: (ToolResult | undefined)[] = [];

  constructor(run: AgentRun, queue: ToolEventQueue, calls: readonly ToolCall[]) {
    this.#run = run;
    this.#queue = queue;
    this.#calls = calls;
  }

  async record(index: number, result: ToolResult): Promise<void> {
    this.#results[index] = result;
    const emitted: Promise<void>[] = [];
    while (true) {
      const next = this.#results[this.messages.length];
      const call = this.#calls[this.messages.length];
      if (next === undefined || call === undefined) break;
      const message = resultMessage(call, next, this.#run.now());
      this.messages.push(message);
      this.terminate &&= next.terminate === true;
      emitted.push(this.#queue.emit({ type: "message_start", message }));
      emitted.push(this.#queue.emit(endMessage(this.#run, message)));
    }
    await Promise.all(emitted);
  }
}
