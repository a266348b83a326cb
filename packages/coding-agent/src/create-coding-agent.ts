import { Agent, type AnyAgentTool, HookRunner } from "@coppice/agent";
import type { Model, StreamFunction, ThinkingLevel } from "@coppice/ai";
import type { CompactionSettingsInput } from "@coppice/compaction";
import { MemoryRepo, type SessionShape } from "@coppice/session";
import { AgentHarness } from "./agent-harness.ts";
import { AutoCompaction } from "./auto-compaction.ts";
import { AutoRetry } from "./auto-retry.ts";
import { Choices } from "./choices.ts";
import { CompactionRun } from "./compaction-run.ts";
import { loadContextFiles } from "./context-files.ts";
import { ContextInspector } from "./context-inspector.ts";
import { ContextView } from "./context-view.ts";
import type { Environment } from "./env/environment.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";
import { messageOf } from "./errors.ts";
import { EventBus } from "./event-bus.ts";
import type { Extension } from "./extension.ts";
import { ExtensionHost } from "./extension-host.ts";
import { codingAgentHooks } from "./hooks.ts";
import { Lifetime } from "./lifetime.ts";
import { ModelChoice } from "./model-choice.ts";
import { Navigation } from "./navigation.ts";
import { OperationGate } from "./operation-gate.ts";
import { type FlushPolicy, PendingWrites } from "./pending-writes.ts";
import { PromptRun } from "./prompt-run.ts";
import { PromptSource } from "./prompt-source.ts";
import { Prompting } from "./prompting.ts";
import { recordRun } from "./record-run.ts";
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from "./retry-policy.ts";
import { SessionOperations } from "./session-operations.ts";
import { type Sleep, sleep as systemSleep } from "./sleep.ts";
import { ToolSet } from "./tool-set.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

export interface CreateCodingAgentOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly model: Model;
  readonly streamFunction: StreamFunction;
  /** Default: a new session in memory. */
  readonly session?: SessionShape;
  /** Default: the local machine, whose commands see only a plain `PATH`. */
  readonly environment?: Environment;
  /** Default: what the session says, else `off`. */
  readonly thinkingLevel?: ThinkingLevel;
  /** Default: the seven built-in tools. */
  readonly tools?: readonly AnyAgentTool[];
  /** Default: what the session says, else all. */
  readonly activeToolNames?: readonly string[];
  /** Replaces the preamble section. */
  readonly preamble?: string;
  readonly appendSystemPrompt?: string;
  /** Where the user's own AGENTS.md lies; absent = none is read. */
  readonly userDirectory?: string;
  readonly compaction?: CompactionSettingsInput;
  readonly retry?: Partial<RetrySettings>;
  readonly flushPolicy?: FlushPolicy;
  /** Set up in order; one that fails is reported and left out. */
  readonly extensions?: readonly Extension[];
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Waits between retries. */
  readonly sleep?: Sleep;
}

const PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** A coding agent that is ready for its first prompt. Reads context files and the session; writes nothing. */
export async function createCodingAgent(options: CreateCodingAgentOptions): Promise<AgentHarness> {
  const { cwd, streamFunction, now = Date.now, sleep = systemSleep } = options;
  const environment =
    options.environment ?? createLocalEnvironment({ environmentVariables: { PATH: PLAIN_PATH } });
  const session = options.session ?? (await new MemoryRepo({ now }).create({ cwd }));
  const events = new EventBus({ sleep });
  const hooks = new HookRunner(codingAgentHooks, {
    onFailure: ({ hook, owner, error }) =>
      void events.report(`Hook ${hook} of ${owner} failed and is skipped: ${messageOf(error)}`, "error"),
  });
  const toolSet = new ToolSet(options.tools ?? createBuiltinTools({ cwd, environment }));
  const { files: contextFiles, diagnostics } = await loadContextFiles({
    cwd,
    userDirectory: options.userDirectory,
    files: environment.files,
  });
  for (const diagnostic of diagnostics) await events.report(diagnostic);
  const prompt = new PromptSource({
    cwd,
    toolSet,
    contextFiles,
    preamble: options.preamble,
    append: options.appendSystemPrompt,
  });
  const extensions = new ExtensionHost({ cwd, hooks, toolSet, prompt, events });
  for (const extension of options.extensions ?? []) await extensions.load(extension);
  const choice = await restoreChoices({ options, session, toolSet, events });
  const retrySettings = { ...DEFAULT_RETRY_SETTINGS, ...options.retry };

  const writes = new PendingWrites({ session, flushPolicy: options.flushPolicy ?? "message", events });
  const view = new ContextView({ session, writes, prompt });
  const shared = { session, writes, choice, hooks, events, streamFunction, sleep, retry: retrySettings };
  const compaction = new CompactionRun({ ...shared, view, extensions, settings: options.compaction ?? {} });
  const autoCompaction = new AutoCompaction({ run: compaction, view, events });
  const retry = new AutoRetry({ settings: retrySettings, events, sleep });
  const run = new PromptRun({
    session,
    writes,
    view,
    prompt,
    choice,
    toolSet,
    compaction: autoCompaction,
    retry,
    events,
    now,
  });
  const agent = new Agent({
    model: choice.model,
    thinkingLevel: choice.thinkingLevel,
    streamFunction,
    hooks,
    sessionId: session.id,
    now,
    beforeRequest: run.beforeRequest,
    onRunEnd: run.onRunEnd,
    onListenerError: (error) => void events.report(messageOf(error), "error"),
  });
  const gate = new OperationGate();
  const prompting = new Prompting({ agent, gate, run, hooks, events, now });
  recordRun({ agent, writes, retry, events, prompting });
  const navigation = new Navigation({ ...shared, compaction });
  const lifetime = new Lifetime({ session, gate, writes, hooks, extensions });
  await lifetime.start();
  return new AgentHarness({
    session,
    gate,
    prompting,
    operations: new SessionOperations({ gate, compaction, autoCompaction, navigation, prompting }),
    choices: new Choices({ choice, toolSet, autoCompaction, hooks, events }),
    inspector: new ContextInspector({ session, view, prompt, compaction }),
    events,
    lifetime,
  });
}

interface RestoreOptions {
  readonly options: CreateCodingAgentOptions;
  readonly session: SessionShape;
  readonly toolSet: ToolSet;
  readonly events: EventBus;
}

/** What was asked for, else what the session says. */
async function restoreChoices({ options, session, toolSet, events }: RestoreOptions): Promise<ModelChoice> {
  const stored = await session.buildContext();
  for (const diagnostic of stored.diagnostics) await events.report(diagnostic);
  if (options.activeToolNames !== undefined) {
    toolSet.activate(options.activeToolNames);
  } else if (stored.activeToolNames !== undefined) {
    const missing = toolSet.restore(stored.activeToolNames);
    if (missing.length > 0) {
      await events.report(`Tools of this session that do not exist here: ${missing.join(", ")}.`);
    }
  }
  return new ModelChoice(options.model, options.thinkingLevel ?? stored.thinkingLevel ?? "off");
}
