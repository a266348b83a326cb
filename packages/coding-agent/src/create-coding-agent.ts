import { randomUUID } from "node:crypto";
import { type AnyAgentTool, HookRunner } from "@coppice/agent";
import type { Model, StreamFunction, ThinkingLevel } from "@coppice/ai";
import type { CompactionSettingsInput } from "@coppice/compaction";
import { MemoryRepo, type Session, type SessionRepo } from "@coppice/session";
import type { AgentHarness } from "./agent-harness.ts";
import { type ContextFileScope, loadContextFiles } from "./context-files.ts";
import type { Environment } from "./env/environment.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";
import { messageOf } from "./errors.ts";
import { EventBus } from "./event-bus.ts";
import type { Extension } from "./extension.ts";
import { type DialogPresenter, ExtensionDialogs } from "./extension-dialogs.ts";
import { ExtensionHost } from "./extension-host.ts";
import { createFileTree } from "./file-tree/create-file-tree.ts";
import { codingAgentHooks } from "./hooks.ts";
import { FitImages } from "./images/fit-images.ts";
import { imageLimitsOf } from "./images/image-limits.ts";
import { ModelChoice } from "./model-choice.ts";
import { NestedContext } from "./nested-context.ts";
import type { FlushPolicy } from "./pending-writes.ts";
import type { PermissionGuard } from "./permissions/permission-guard.ts";
import { PromptSource } from "./prompt-source.ts";
import type { RetrySettings } from "./retry-policy.ts";
import { createSnapshots, type SnapshotOptions } from "./rewind/create-snapshots.ts";
import type { Skill } from "./skills/skill.ts";
import { skillsSection } from "./skills/skill-text.ts";
import { type Sleep, sleep as systemSleep } from "./sleep.ts";
import type { ModelFor } from "./summary-calls.ts";
import { ToolSet } from "./tool-set.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";
import { RECALL_TOOL_NAME } from "./tools/recall/entry-quote.ts";
import { createRecallTool } from "./tools/recall/tool.ts";
import { wireHarness } from "./wire-harness.ts";

export interface CreateCodingAgentOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly model: Model;
  readonly streamFunction: StreamFunction;
  /** Default: a new session in memory. */
  readonly session?: Session;
  /** Where `session` is kept; needed to fork it. */
  readonly repo?: Pick<SessionRepo, "fork">;
  /** Instead of `session` and `repo`: opens one once the extensions are set up, in a storage of theirs if it likes. */
  readonly openSession?: OpenSession;
  /** Default: the local machine, whose commands see only a plain `PATH`. */
  readonly environment?: Environment;
  /** Default: what the session says, else `off`. */
  readonly thinkingLevel?: ThinkingLevel;
  /** Default: the seven built-in tools, and `recall` on the session. */
  readonly tools?: readonly AnyAgentTool[];
  /** Default: what the session says, else all. */
  readonly activeToolNames?: readonly string[];
  /** Replaces the preamble section. */
  readonly preamble?: string;
  /** Told to the model by name and place. */
  readonly skills?: readonly Skill[];
  readonly appendSystemPrompt?: string;
  /** Where the user's own AGENTS.md lies; absent = none is read. */
  readonly userDirectory?: string;
  /** Whose AGENTS.md count, as `resolveTrust` says. Default: `all`. */
  readonly contextFiles?: ContextFileScope;
  readonly compaction?: CompactionSettingsInput;
  /** Finds models that settings name (`summaryModel`); default: none is known but `model` itself. */
  readonly modelFor?: ModelFor;
  readonly retry?: Partial<RetrySettings>;
  readonly flushPolicy?: FlushPolicy;
  /** Judges every tool call after all hooks; absent = every call may run. */
  readonly permissions?: PermissionGuard;
  /** Keeps what files held before and after the built-in tools changed them; absent = files cannot be put back. */
  readonly snapshots?: SnapshotOptions;
  /** Set up in order; one that fails is reported and left out. */
  readonly extensions?: readonly Extension[];
  /** Shows the dialogs of extensions, from the first moment on; `attachDialogs` replaces it. Default: each is dismissed. */
  readonly dialogs?: DialogPresenter;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Ids of pins and of changes to files. */
  readonly newId?: () => string;
  /** Waits between retries. */
  readonly sleep?: Sleep;
}

/** Opens the session of an agent; `storages` are those of extensions, by name. */
export type OpenSession = (storages: ReadonlyMap<string, SessionRepo>) => Promise<{
  readonly session: Session;
  /** Needed to fork it. */
  readonly repo?: Pick<SessionRepo, "fork">;
}>;

const PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/**
 * A coding agent that is ready for its first prompt. Reads context files and the session; writes nothing.
 *
 * Throws `duplicate_tool`, `unknown_tool` for names in `activeToolNames`, and the compaction's `invalid_settings`.
 */
export async function createCodingAgent(options: CreateCodingAgentOptions): Promise<AgentHarness> {
  const { cwd, streamFunction, now = Date.now, sleep = systemSleep } = options;
  const environment =
    options.environment ?? createLocalEnvironment({ environmentVariables: { PATH: PLAIN_PATH } });
  const events = new EventBus({ sleep });
  const hooks = new HookRunner(codingAgentHooks, {
    onFailure: ({ hook, owner, error }) =>
      void events.report(`Hook ${hook} of ${owner} failed and is skipped: ${messageOf(error)}`, "error"),
  });
  const newId = options.newId ?? randomUUID;
  const tree = createFileTree({ cwd, environment });
  let sessionId = "";
  const snapshots =
    options.snapshots &&
    createSnapshots(options.snapshots, {
      ...{ cwd, environment, tree, now, newId },
      sessionId: () => sessionId,
      onFailure: (error) =>
        void events.report(`What a file held could not be kept: ${messageOf(error)}`, "error"),
    });
  const changes = snapshots?.recorder;
  let choice: ModelChoice | undefined;
  const imageLimits = () => imageLimitsOf(choice?.model ?? options.model);
  const mayRead = options.permissions?.mayRead;
  const toolSet = new ToolSet(
    options.tools ?? createBuiltinTools({ cwd, environment, tree, changes, mayRead, imageLimits }),
  );
  const prompt = await createPrompt({ options, environment, toolSet, events });
  const { files, homeDirectory } = environment;
  if ((options.contextFiles ?? "all") === "all") {
    new NestedContext({ cwd, files, homeDirectory, loaded: () => prompt.contextFiles }).attach(hooks);
  }
  const dialogs = new ExtensionDialogs({
    presenter: options.dialogs,
    onFailure: (error) => void events.report(`A dialog could not be shown: ${messageOf(error)}`, "error"),
  });
  new FitImages({ limits: imageLimits }).attach(hooks);
  // Nobody else can end what the commands of an environment of our own left behind.
  if (options.environment === undefined) {
    hooks.on("session_shutdown", () => environment.shell.killAll?.(), { owner: "commands" });
  }
  const extensions = new ExtensionHost({ cwd, environment, hooks, toolSet, prompt, events, dialogs, sleep });
  for (const extension of options.extensions ?? []) await extensions.load(extension);
  try {
    const { session, repo } = await openSession(options, extensions.registry.storages);
    sessionId = session.id;
    // An extension may have brought one of its own.
    if (options.tools === undefined && !toolSet.names.includes(RECALL_TOOL_NAME)) {
      toolSet.add(createRecallTool({ session }));
    }
    choice = await restoreChoices({ options, session, toolSet, events });
    const { harness, lifetime, diagnostics } = wireHarness({
      ...{ cwd, session, events, hooks, toolSet, prompt, extensions, choice, streamFunction, now, sleep },
      repo,
      ...{ files, tree, snapshots, newId },
      permissions: options.permissions,
      compaction: options.compaction ?? {},
      modelFor: options.modelFor ?? (() => undefined),
      retry: options.retry ?? {},
      flushPolicy: options.flushPolicy ?? "message",
    });
    const { permissions } = options;
    if (permissions !== undefined) permissions.onProblem = (message) => void events.report(message, "error");
    const ofPermissions = permissions?.diagnostics ?? [];
    for (const diagnostic of [...diagnostics, ...ofPermissions]) await events.report(diagnostic);
    await lifetime.start();
    return harness;
  } catch (error) {
    // What they started would outlive an agent that never was.
    await extensions.unload();
    throw error;
  }
}

async function openSession(
  { cwd, now = Date.now, session, repo, openSession: open }: CreateCodingAgentOptions,
  storages: ReadonlyMap<string, SessionRepo>,
): Promise<{ readonly session: Session; readonly repo: Pick<SessionRepo, "fork"> | undefined }> {
  if (session !== undefined) return { session, repo };
  if (open !== undefined) return { repo: undefined, ...(await open(storages)) };
  const memory = new MemoryRepo({ now });
  return { session: await memory.create({ cwd }), repo: repo ?? memory };
}

interface PromptOptions {
  readonly options: CreateCodingAgentOptions;
  readonly environment: Environment;
  readonly toolSet: ToolSet;
  readonly events: EventBus;
}

async function createPrompt({ options, environment, toolSet, events }: PromptOptions): Promise<PromptSource> {
  const { cwd, userDirectory, contextFiles: scope, preamble, appendSystemPrompt: append } = options;
  const load = async () => {
    const { files, diagnostics } = await loadContextFiles({
      ...{ cwd, userDirectory, contextFiles: scope, files: environment.files },
    });
    for (const diagnostic of diagnostics) await events.report(diagnostic);
    return files;
  };
  const contextFiles = await load();
  const source = new PromptSource({ cwd, toolSet, contextFiles, loadContextFiles: load, preamble, append });
  const skills = skillsSection(options.skills ?? []);
  if (skills !== "") source.setSection("skills", skills);
  return source;
}

interface RestoreOptions {
  readonly options: CreateCodingAgentOptions;
  readonly session: Session;
  readonly toolSet: ToolSet;
  readonly events: EventBus;
}

/** What was asked for, else what the session says. */
async function restoreChoices({ options, session, toolSet, events }: RestoreOptions): Promise<ModelChoice> {
  const stored = await session.buildContext();
  for (const diagnostic of stored.diagnostics) await events.report(diagnostic);
  toolSet.rememberUsed((stored.systemMessage?.toolsAdded ?? []).map(({ name }) => name));
  if (options.activeToolNames !== undefined) {
    toolSet.configure(options.activeToolNames);
  } else if (stored.activeToolNames !== undefined) {
    const missing = toolSet.restore(stored.activeToolNames);
    if (missing.length > 0) {
      await events.report(`Tools of this session that do not exist here: ${missing.join(", ")}.`);
    }
  }
  return new ModelChoice(options.model, options.thinkingLevel ?? stored.thinkingLevel ?? "off");
}
