import type { HookRunner } from "@coppice/agent";
import { checkTool, isToolName } from "./check-tool.ts";
import type { Environment } from "./env/environment.ts";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { HarnessListener } from "./events.ts";
import type { ExtensionApi, ExtensionUi } from "./extension.ts";
import type { ExtensionDialogs } from "./extension-dialogs.ts";
import type { ExtensionRegistry } from "./extension-registry.ts";
import { type CodingAgentHooks, codingAgentHooks } from "./hooks.ts";
import { isLifecycleEvent, type LifecycleEventType } from "./lifecycle-events.ts";
import type { PromptSource } from "./prompt-source.ts";
import type { ToolSet } from "./tool-set.ts";

/** What registrations of extensions go to. */
export interface ExtensionTargets {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly toolSet: ToolSet;
  readonly prompt: PromptSource;
  readonly events: EventBus;
  readonly dialogs: ExtensionDialogs;
}

/** How an extension's entries reach the session. */
export type AppendEntry = (customType: string, data: unknown) => Promise<void>;

/** One extension that is set up: what it did, and how to undo it. */
export interface ExtensionLease {
  /** The extension's name. */
  readonly owner: string;
  readonly undo: (() => void)[];
  readonly cleanups: (() => void | Promise<void>)[];
  isAlive: boolean;
}

export interface ExtensionApiOptions {
  readonly lease: ExtensionLease;
  readonly targets: ExtensionTargets;
  readonly registry: ExtensionRegistry;
  /** Undefined until there is a session. */
  readonly appendEntry: () => AppendEntry | undefined;
}

/** The handle of one extension: each registration leaves in the lease what undoes it. */
export function createExtensionApi(options: ExtensionApiOptions): ExtensionApi {
  const { lease, targets, registry } = options;
  const { cwd, environment, hooks, toolSet, prompt, events } = targets;
  const { owner } = lease;
  const alive = () => {
    if (!lease.isAlive) throw unloaded(owner);
  };
  const own = (register: () => () => void): (() => void) => {
    alive();
    const undo = register();
    lease.undo.push(undo);
    return () => {
      const at = lease.undo.indexOf(undo);
      if (at === -1) return;
      lease.undo.splice(at, 1);
      undo();
    };
  };
  /** A name that somebody else has costs that one registration, not the extension. */
  const claim = (register: () => () => void): (() => void) => {
    try {
      return own(register);
    } catch (error) {
      if (!isConflict(error)) throw error;
      void events.report(`${owner}: ${error.message} This one is left out.`);
      return () => {};
    }
  };
  return {
    cwd,
    environment,
    registerTool: (tool) => {
      alive();
      checkTool(tool);
      return claim(() => {
        if (!isToolName(tool.name)) throw illegalName(tool.name);
        return toolSet.add(tool);
      });
    },
    on: ((name: string, handler: Handler) => {
      checkHook(name, handler);
      own(() =>
        isLifecycleEvent(name)
          ? events.observe(observer(name, { owner, handler, events }))
          : hooks.on(name as keyof CodingAgentHooks & string, safeHandler(name, handler) as never, { owner }),
      );
    }) as ExtensionApi["on"],
    setPromptSection: (name, text) => void own(() => prompt.setSection(name, text)),
    registerCommand: (name, command) => void own(() => registry.addCommand(owner, name, command)),
    registerProvider: (provider) => void claim(() => registry.addProvider(provider)),
    registerModel: (model) => void claim(() => registry.addModel(model)),
    registerEntryKind: (customType, projector) =>
      void claim(() => registry.addProjector(customType, projector)),
    registerCompactionStrategy: (strategy) => void own(() => registry.addStrategy(strategy)),
    registerStorage: (name, repo) => void claim(() => registry.addStorage(name, repo)),
    expectTools: (prefix) => void own(() => toolSet.expect(prefix)),
    missingTools: () => {
      alive();
      return toolSet.missing;
    },
    ui: createUi(lease, targets.dialogs),
    appendEntry: async (customType, data) => {
      alive();
      const append = options.appendEntry();
      if (append === undefined) throw notReady();
      await append(customType, data);
    },
    report: async (message, level = "warning") => {
      alive();
      await events.report(`${owner}: ${message}`, level);
    },
    onUnload: (cleanup) => {
      alive();
      lease.cleanups.push(cleanup);
    },
  };
}

type Handler = (input: unknown, signal?: AbortSignal) => unknown;

interface ObserverOptions {
  readonly owner: string;
  readonly handler: Handler;
  readonly events: EventBus;
}

/** Hears one kind of event in the extension's name. */
function observer(type: LifecycleEventType, { owner, handler, events }: ObserverOptions): HarnessListener {
  return async (event) => {
    if (event.type !== type) return;
    try {
      await handler(event);
    } catch (error) {
      await events.report(
        `Extension ${owner} failed at ${type} and is skipped: ${messageOf(error)}`,
        "error",
      );
    }
  };
}

function createUi(lease: ExtensionLease, dialogs: ExtensionDialogs): ExtensionUi {
  const { owner } = lease;
  const ask: ExtensionDialogs["ask"] = async (request, signal) => {
    if (!lease.isAlive) throw unloaded(owner);
    return dialogs.ask(request, signal);
  };
  const text = (answer: unknown) => (typeof answer === "string" ? answer : undefined);
  return {
    confirm: async (title, { signal, ...rest } = {}) =>
      (await ask({ kind: "confirm", owner, title, ...rest }, signal)) === true,
    select: async (title, choices, { signal } = {}) => {
      const answer = text(await ask({ kind: "select", owner, title, options: choices }, signal));
      return answer !== undefined && choices.includes(answer) ? answer : undefined;
    },
    input: async (title, { signal, ...rest } = {}) =>
      text(await ask({ kind: "input", owner, title, ...rest }, signal)),
  };
}

/** Extensions come from code that no type checker has seen. */
function checkHook(name: string, handler: unknown): void {
  const isKnown = isLifecycleEvent(name) || Object.hasOwn(codingAgentHooks, name);
  if (isKnown && typeof handler === "function") return;
  const problem = typeof handler === "function" ? "there is no such hook" : "its handler is no function";
  throw new CodingAgentError({
    code: "invalid_registration",
    message: `A handler for "${name}" cannot be registered: ${problem}.`,
  });
}

/** What is wrong with one registration alone. */
const CONFLICTS: ReadonlySet<string> = new Set(["name_taken", "duplicate_tool", "invalid_tool_name"]);

function isConflict(error: unknown): error is CodingAgentError {
  return error instanceof CodingAgentError && CONFLICTS.has(error.code);
}

function illegalName(name: string): CodingAgentError {
  return new CodingAgentError({
    code: "invalid_tool_name",
    message: `Providers refuse the tool name "${name}": it takes 1 to 64 letters, digits, "_" and "-".`,
  });
}

function unloaded(owner: string): CodingAgentError {
  return new CodingAgentError({
    code: "extension_unloaded",
    message: `The extension ${owner} was unloaded; its handle cannot be used any more.`,
  });
}

function notReady(): CodingAgentError {
  return new CodingAgentError({
    code: "extension_failed",
    message: "Entries can be appended once the agent is ready: from hooks, tools and commands.",
  });
}

/**
 * A transform of the context gets copies: what it does to a message deep down must not reach the session (fault kind
 * CX-15).
 */
function safeHandler(name: string, handler: Handler): Handler {
  return name === "context" ? (draft, signal) => handler(structuredClone(draft), signal) : handler;
}
