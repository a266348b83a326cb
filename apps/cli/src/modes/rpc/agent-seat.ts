import type { AgentMessage } from "@coppice/agent";
import { type AgentHarness, CodingAgentError, type HarnessListener, type Shell } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { type BuiltAgent, composeWithModels, knownModelsOf, localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { moveToSession, type OtherSession } from "../../other-session.ts";
import { isReopenable, reopenAgent } from "../../reopen-agent.ts";
import type { Questions } from "./questions.ts";

export interface AgentSeatOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  /** Who sits there from the beginning, or why nobody does. */
  readonly built: BuiltAgent | NoAgent;
  readonly questions: Questions;
  /** Hears the agent of the moment. */
  readonly listener: HarnessListener;
}

/** No model can be used yet; a client can mend that. */
export interface NoAgent {
  readonly missing: CliError;
  readonly setup: BuiltAgent["setup"];
}

/** What came of reading the files anew. */
export interface Reloaded {
  /** Messages that were queued and are not sent. */
  readonly queued: readonly AgentMessage[];
  /** What was left out and why, one line each. */
  readonly notices: readonly string[];
}

/**
 * The place of the agent: one sits there at a time, and whoever listens hears the one that does. As long as no model can
 * be used nobody does, and what needs an agent throws why.
 */
export class AgentSeat {
  readonly context: CliContext;
  readonly questions: Questions;
  readonly #listener: HarnessListener;
  #known: KnownModels;
  #shell: Shell;
  #built: BuiltAgent | NoAgent;
  #leave = (): void => {};

  constructor({ context, known, built, questions, listener }: AgentSeatOptions) {
    this.context = context;
    this.#known = known;
    this.questions = questions;
    this.#shell = localEnvironmentOf(context, known).shell;
    this.#listener = listener;
    this.#built = built;
    if (!("missing" in built)) this.#sit(built);
  }

  /** Why nobody sits there; undefined when somebody does. */
  get missing(): CliError | undefined {
    return "missing" in this.#built ? this.#built.missing : undefined;
  }

  /** Throws `no_model` or `no_key` where there is none yet. */
  get agent(): AgentHarness {
    return this.#sitting.agent;
  }

  get known(): KnownModels {
    return this.#known;
  }

  /** Where the user's own commands run. */
  get shell(): Shell {
    return this.#shell;
  }

  get permissions(): BuiltAgent["permissions"] {
    return this.#sitting.permissions;
  }

  get mcpServers(): BuiltAgent["mcpServers"] {
    return "missing" in this.#built ? undefined : this.#built.mcpServers;
  }

  get setup(): BuiltAgent["setup"] {
    return this.#built.setup;
  }

  /**
   * Goes on in another session; when it cannot be opened, everything stays as it is. Resolves with the messages that were
   * queued and are not sent.
   */
  async moveTo(other: OtherSession): Promise<readonly AgentMessage[]> {
    const { context, known } = this;
    const { agent, permissions } = this.#sitting;
    const built = await moveToSession({ context, known, agent, other, permissionMode: permissions.mode });
    this.#sit(built);
    return built.queued;
  }

  /**
   * Reads everything anew that comes from files, and goes on in the same session. Where a file cannot be read, everything
   * stays as it is; where no agent can be made of what the files say, the agent goes on with what they said before.
   *
   * Throws `agent_busy`, `usage` for a session that is in memory only, and what the files make fail. Where nobody sits yet
   * the agent is made that could not be made before.
   */
  async reload(): Promise<Reloaded> {
    if (this.missing !== undefined) return { queued: [], notices: await this.#fill(this.context) };
    const { context } = this;
    const { agent, permissions, setup } = this.#sitting;
    requireReopenable(agent);
    let queued: readonly AgentMessage[] = [];
    const leave = async () => {
      requireReopenable(agent);
      queued = agent.clearQueue();
      await agent.dispose();
    };
    const before = { known: this.#known, setup };
    const built = await reopenAgent({ context, agent, before, permissionMode: permissions.mode, leave });
    this.#know(built.known);
    this.#sit(built);
    if (built.failure !== undefined) throw built.failure;
    return { queued, notices: built.notices };
  }

  /** Goes on with another model, or begins with it. */
  async useModel(pattern: string): Promise<void> {
    if (this.missing !== undefined) {
      const { context } = this;
      const args = { ...context.args, flags: { ...context.args.flags, model: pattern } };
      await this.#fill({ ...context, args });
      return;
    }
    const { model, thinkingLevel } = await this.known.find(pattern);
    await this.agent.setModel(model);
    if (thinkingLevel !== undefined) await this.agent.setThinkingLevel(thinkingLevel);
  }

  /** Stops what runs, if anybody is there to run it. */
  async abort(): Promise<void> {
    if (this.missing === undefined) await this.agent.abort();
  }

  async waitForIdle(): Promise<void> {
    if (this.missing === undefined) await this.agent.waitForIdle();
  }

  async dispose(): Promise<void> {
    if (this.missing === undefined) await this.agent.dispose();
  }

  get #sitting(): BuiltAgent {
    if ("missing" in this.#built) throw this.#built.missing;
    return this.#built;
  }

  /** Resolves with what was left out and why. Models and logins of files that were read anew are known in any case. */
  async #fill(context: CliContext): Promise<readonly string[]> {
    try {
      const { known, notices, ...built } = await composeWithModels(context);
      this.#know(known);
      this.#sit(built);
      return notices;
    } catch (error) {
      this.#know(await knownModelsOf(context));
      throw error;
    }
  }

  #know(known: KnownModels): void {
    this.#known = known;
    this.#shell = localEnvironmentOf(this.context, known).shell;
  }

  #sit(built: BuiltAgent): void {
    this.#leave();
    this.#built = built;
    this.#leave = built.agent.subscribe(this.#listener);
  }
}

function requireReopenable(agent: AgentHarness): void {
  if (agent.isBusy) {
    const data = { operation: "reload" };
    throw new CodingAgentError({ code: "agent_busy", message: "Cannot reload: the agent is at work.", data });
  }
  if (!isReopenable(agent)) {
    throw new CliError("usage", "This session is in memory only and cannot be opened again", {
      advice: "Start anew to read the files.",
    });
  }
}
