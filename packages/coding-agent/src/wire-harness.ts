import { Agent, type HookRunner } from "@coppice/agent";
import type { StreamFunction } from "@coppice/ai";
import type { CompactionSettingsInput } from "@coppice/compaction";
import type { Session, SessionRepo } from "@coppice/session";
import { AgentHarness } from "./agent-harness.ts";
import { appendCustomEntry } from "./append-entry.ts";
import { ArrivingMessages } from "./arriving-messages.ts";
import { AutoCompaction } from "./auto-compaction.ts";
import { AutoRetry } from "./auto-retry.ts";
import { Choices } from "./choices.ts";
import { CompactionMaker } from "./compaction-maker.ts";
import { CompactionRun } from "./compaction-run.ts";
import { ContextInspector } from "./context-inspector.ts";
import { ContextView } from "./context-view.ts";
import type { FileSystem } from "./env/environment.ts";
import { messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { ExtensionHost } from "./extension-host.ts";
import { extensionStream } from "./extension-stream.ts";
import type { FileTree } from "./file-tree/file-tree.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { LearnedWindow } from "./learned-window.ts";
import { Lifetime } from "./lifetime.ts";
import { AutomaticPins } from "./memory/automatic-pins.ts";
import { BackgroundCompaction } from "./memory/background-compaction.ts";
import { BringBack } from "./memory/bring-back.ts";
import { CompactionDrafts } from "./memory/compaction-drafts.ts";
import { CompactionHistory } from "./memory/compaction-history.ts";
import { MemoryOperations } from "./memory/memory-operations.ts";
import { RequestPreviews } from "./memory/request-preview.ts";
import { WarmIndex } from "./memory/warm-index.ts";
import type { ModelChoice } from "./model-choice.ts";
import { Navigation } from "./navigation.ts";
import { OperationGate } from "./operation-gate.ts";
import { type FlushPolicy, PendingWrites } from "./pending-writes.ts";
import { guardedHooks, type PermissionGuard } from "./permissions/permission-guard.ts";
import { Pins } from "./pins.ts";
import { ProjectWatch } from "./project-watch.ts";
import { PromptRun } from "./prompt-run.ts";
import type { PromptSource } from "./prompt-source.ts";
import { Prompting } from "./prompting.ts";
import { recordRun } from "./record-run.ts";
import { Replacement } from "./replacement.ts";
import { DEFAULT_RETRY_SETTINGS, type RetrySettings } from "./retry-policy.ts";
import type { Snapshots } from "./rewind/create-snapshots.ts";
import { FileOperations } from "./rewind/file-operations.ts";
import { FileRewind } from "./rewind/file-rewind.ts";
import { SessionFork } from "./session-fork.ts";
import { SessionOperations } from "./session-operations.ts";
import { SessionRequest } from "./session-request.ts";
import type { Sleep } from "./sleep.ts";
import { type ModelFor, SummaryCalls } from "./summary-calls.ts";
import type { ToolSet } from "./tool-set.ts";

export interface WireOptions {
  readonly session: Session;
  /** Absolute. */
  readonly cwd: string;
  readonly repo: Pick<SessionRepo, "fork"> | undefined;
  readonly events: EventBus;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly toolSet: ToolSet;
  readonly prompt: PromptSource;
  readonly extensions: ExtensionHost;
  readonly choice: ModelChoice;
  readonly streamFunction: StreamFunction;
  readonly now: () => number;
  readonly newId: () => string;
  readonly files: FileSystem;
  /** The files below the working directory; ends with the harness. */
  readonly tree: FileTree;
  /** Absent = nobody keeps what files held. */
  readonly snapshots: Snapshots | undefined;
  readonly sleep: Sleep;
  readonly compaction: CompactionSettingsInput;
  readonly modelFor: ModelFor;
  readonly permissions: PermissionGuard | undefined;
  readonly retry: Partial<RetrySettings>;
  readonly flushPolicy: FlushPolicy;
}

export interface WiredHarness {
  readonly harness: AgentHarness;
  readonly lifetime: Lifetime;
  /** Settings that were clamped. */
  readonly diagnostics: readonly string[];
}

/** Connects the parts of a harness; nothing runs yet. */
export function wireHarness(options: WireOptions): WiredHarness {
  const { session, events, hooks, toolSet, prompt, extensions, choice, now, sleep } = options;
  const { registry } = extensions;
  const streamFunction = extensionStream({ streamFunction: options.streamFunction, registry, now });
  const retry = { ...DEFAULT_RETRY_SETTINGS, ...options.retry };
  const gate = new OperationGate();
  const writes = new PendingWrites({
    ...{ session, flushPolicy: options.flushPolicy, events },
    onAppended: (entryId, draft) => automaticPins.appended(entryId, draft),
  });
  const view = new ContextView({ session, writes, prompt, choice, registry });
  const sessionRequest = new SessionRequest({ sessionId: session.id, streamFunction, hooks, prompt, choice });
  const windows = new LearnedWindow({ choice, events });
  const modelFor: ModelFor = (name) => registry.model(name) ?? options.modelFor(name);
  const summaries = new SummaryCalls({
    ...{ choice, events, streamFunction, sessionRequest, windows, modelFor, retry, sleep },
  });
  const calls = { session, writes, choice, hooks, events, streamFunction, sleep, retry };
  const maker = new CompactionMaker({ hooks, extensions, events, calls: summaries });
  const compaction = new CompactionRun({
    ...{ session, writes, view, choice, prompt, toolSet, hooks, events, maker },
    calls: summaries,
    settings: options.compaction,
  });
  const background = new BackgroundCompaction({
    session,
    run: compaction,
    calls: summaries,
    extensions,
    events,
  });
  const autoCompaction = new AutoCompaction({ run: compaction, view, events, background });
  const autoRetry = new AutoRetry({ settings: retry, events, sleep });
  const arriving = new ArrivingMessages();
  const run = new PromptRun({
    ...{ session, writes, view, prompt, choice, toolSet, windows, arriving, now },
    compaction: autoCompaction,
    retry: autoRetry,
  });
  const agent = new Agent({
    ...{ model: choice.model, thinkingLevel: choice.thinkingLevel, now },
    hooks: options.permissions === undefined ? hooks : guardedHooks(hooks, options.permissions),
    streamFunction: sessionRequest.stream,
    sessionId: session.id,
    beforeRequest: run.beforeRequest,
    onRunEnd: run.onRunEnd,
    onListenerError: (error) => void events.report(messageOf(error), "error"),
  });
  const prompting = new Prompting({ agent, gate, run, arriving, hooks, events, now });
  const index = new WarmIndex({ agent, session, toolSet });
  recordRun({ agent, writes, retry: autoRetry, events, prompting });
  const { files, tree, snapshots, newId } = options;
  const pruning = snapshots?.pruningOf(session);
  const watch = new ProjectWatch({ tree, recorder: snapshots?.recorder, pruning, toolSet });
  watch.attach(agent);
  const rewind = snapshots && new FileRewind({ session, files, cwd: options.cwd, ...snapshots });
  const navigation = new Navigation({ ...calls, compaction, rewind, newId });
  extensions.connect(appendCustomEntry({ session, writes, gate }));
  const fork = new SessionFork({ session, writes, cwd: options.cwd, repo: options.repo });
  const pins = new Pins({ session, writes, gate, agent, now, newId });
  const automaticPins = new AutomaticPins({ session, writes, pins, choice, events });
  const lifetime = new Lifetime({ session, gate, background, index, watch, writes, hooks, extensions });
  const operations = new SessionOperations({
    ...{ agent, gate, compaction, autoCompaction, background, navigation, prompting, fork, pins, extensions },
  });
  const drafts = new CompactionDrafts({ session, run: compaction, maker, calls: summaries });
  const history = new CompactionHistory(session);
  const bringBack = new BringBack({ session, writes, navigation, events, files });
  const harness = new AgentHarness({
    ...{ session, gate, prompting, events, lifetime, operations },
    replacement: new Replacement({ gate, writes, prompting, lifetime, events }),
    memory: new MemoryOperations({
      session,
      writes,
      view,
      events,
      operations,
      autoCompaction,
      drafts,
      history,
      bringBack,
    }),
    previews: new RequestPreviews({ view, sessionRequest, autoCompaction, hooks, now }),
    files: new FileOperations({ session, writes, operations, events, rewind, newId }),
    choices: new Choices({ gate, choice, toolSet, autoCompaction, background, hooks, events }),
    inspector: new ContextInspector({ session, view, prompt, compaction, pins }),
  });
  return { harness, lifetime, diagnostics: compaction.settings().diagnostics };
}
