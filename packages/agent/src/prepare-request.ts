import type { ChatRequest } from "@coppice/ai";
import type { AgentRun, RequestDraft } from "./agent-run.ts";
import { runHook } from "./hook-runner.ts";
import type { AnyAgentTool } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

export interface PreparedRequest {
  readonly request: ChatRequest;
  /** The tools that the model was told of: its calls are looked up here. */
  readonly tools: readonly AnyAgentTool[];
}

/** The next request: the owner's word first, then the `context` hook, conversion, and the provider hooks. */
export async function prepareRequest(run: AgentRun): Promise<PreparedRequest> {
  const draft = await draftRequest(run);
  run.signal.throwIfAborted();
  const { messages } = await untilAborted(
    runHook(run.hooks, "context", { messages: draft.messages }, run.signal),
    run.signal,
  );
  const { model, systemPrompt, thinkingLevel, tools } = draft;
  const call = await untilAborted(
    runHook(run.hooks, "before_provider_request", { headers: {} }, run.signal),
    run.signal,
  );
  const convert = messages === run.state.messages ? run.convertTranscript : run.convertToLlm;
  const request: ChatRequest = {
    model,
    messages: convert(messages),
    thinkingLevel,
    signal: run.signal,
    ...(systemPrompt === "" ? {} : { systemPrompt }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
    ...(Object.keys(call.headers).length === 0 ? {} : { headers: call.headers }),
    ...(call.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: call.idleTimeoutMs }),
    ...wireHooks(run),
  };
  return { request, tools };
}

async function draftRequest(run: AgentRun): Promise<RequestDraft> {
  const { state } = run;
  const draft: RequestDraft = {
    messages: state.messages,
    systemPrompt: run.systemPrompt(),
    model: state.model,
    thinkingLevel: state.thinkingLevel,
    tools: state.tools,
  };
  const patch = await run.beforeRequest?.(draft, run.signal);
  if (patch?.messages !== undefined && patch.messages !== state.messages) state.messages = patch.messages;
  return { ...draft, ...patch, messages: state.messages };
}

function wireHooks(run: AgentRun): Pick<ChatRequest, "onPayload" | "onResponse"> {
  const { hooks, signal } = run;
  return {
    ...(hooks.has("before_provider_payload") && {
      onPayload: async (payload: unknown) =>
        (await runHook(hooks, "before_provider_payload", { payload }, signal)).payload,
    }),
    ...(hooks.has("after_provider_response") && {
      onResponse: async (response) => {
        await runHook(hooks, "after_provider_response", response, signal);
      },
    }),
  };
}
