import type {
  AgentContext,
  AvailableCommand,
  PromptResponse,
  SessionConfigOption,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { AgentEvent } from "@coppice/agent";
import { type AssistantMessage, THINKING_LEVELS } from "@coppice/ai";
import { type HarnessEvent, PERMISSION_MODES } from "@coppice/coding-agent";
import type { BuiltAgent } from "../../compose.ts";
import { callExtensionCommand } from "../../extension-command.ts";
import type { KnownModels } from "../../known-models.ts";
import type { PromptInput } from "../../prompt-input.ts";
import { inOneLine } from "../../render/error-text.ts";
import { answerFailure } from "../../run-outcome.ts";
import { configOptions, modeState } from "./config-options.ts";
import { replayUpdates } from "./replay.ts";
import { chunk, type ShownExtras, Updates } from "./updates.ts";

export interface AcpSessionOptions {
  readonly built: BuiltAgent;
  readonly known: KnownModels;
  readonly client: Pick<AgentContext, "notify">;
  readonly extras: ShownExtras;
}

/** A value that the editor chose and that is not on offer. */
export class UnknownChoice extends Error {
  override readonly name = "UnknownChoice";
}

/** One session of an editor: an agent, and the way of its events to the editor. */
export class AcpSession {
  readonly #options: AcpSessionOptions;
  readonly #unsubscribe: () => void;
  /** Updates go out in order, and before the answer to the prompt that they belong to. */
  #told: Promise<void> = Promise.resolve();
  #last: AssistantMessage | undefined;
  #isAborted = false;

  constructor(options: AcpSessionOptions) {
    this.#options = options;
    const updates = new Updates(options.built.agent.session.cwd, options.extras);
    this.#unsubscribe = options.built.agent.subscribe((event) => {
      this.#observe(event);
      return this.#tell(updates.of(event));
    });
  }

  get id(): string {
    return this.#options.built.agent.session.id;
  }

  /** Runs a prompt to its end. Rejects with what kept the model from a whole answer. */
  async prompt(prompt: PromptInput, signal: AbortSignal): Promise<PromptResponse> {
    const { agent } = this.#options.built;
    const abort = () => void agent.abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#last = undefined;
    this.#isAborted = false;
    try {
      const said = await callExtensionCommand(agent, prompt.text);
      if (said === undefined) await agent.prompt(prompt.text, { images: prompt.images });
      else if (said !== "") await this.#tell([chunk("agent_message_chunk", said)]);
      await this.#tellUsage();
    } finally {
      signal.removeEventListener("abort", abort);
      await this.#told;
    }
    return this.#response(signal);
  }

  cancel(): Promise<void> {
    return this.#options.built.agent.abort();
  }

  /** Tells the conversation as it stands. */
  async replay(): Promise<void> {
    const { agent } = this.#options.built;
    const { messages } = await agent.getContext();
    await this.#tell(replayUpdates(messages, agent.session.cwd));
  }

  /** What the editor's user may call with a slash. */
  async tellCommands(): Promise<void> {
    const { agent, setup } = this.#options.built;
    const hint = (text: string | undefined) => (text === undefined ? {} : { input: { hint: text } });
    const availableCommands: AvailableCommand[] = [
      ...agent.commands.map(({ name, description, argumentHint }) => ({
        ...{ name, description },
        ...hint(argumentHint),
      })),
      ...setup.templates.map(({ name, description, argumentHint }) => ({
        ...{ name, description },
        ...hint(argumentHint),
      })),
      ...(setup.settings.enableSkillCommands === false
        ? []
        : setup.skills.map(({ name, description }) => ({ name: `skill:${name}`, description }))),
    ];
    await this.#tell([{ sessionUpdate: "available_commands_update", availableCommands }]);
  }

  get modes() {
    return modeState(this.#options.built.permissions.mode);
  }

  async configOptions(): Promise<SessionConfigOption[]> {
    const { built, known } = this.#options;
    const { model, thinkingLevel } = built.agent;
    const models = (await known.list()).filter(known.isUsable);
    return configOptions({ mode: built.permissions.mode, model, models, thinkingLevel });
  }

  /** Throws `UnknownChoice`, or what `--model` would say. */
  async choose(configId: string, value: unknown): Promise<void> {
    const { agent, permissions } = this.#options.built;
    const unknown = () => new UnknownChoice(`${JSON.stringify(value)} is no choice for "${configId}"`);
    if (configId === "mode") {
      const mode = PERMISSION_MODES.find((candidate) => candidate === value);
      if (mode === undefined) throw unknown();
      permissions.mode = mode;
    } else if (configId === "model" && typeof value === "string") {
      const { model } = await this.#options.known.find(value);
      await agent.setModel(model);
    } else if (configId === "thinking") {
      const level = THINKING_LEVELS.find((candidate) => candidate === value);
      if (level === undefined) throw unknown();
      await agent.setThinkingLevel(level);
    } else throw unknown();
  }

  async close(): Promise<void> {
    await this.#options.built.agent.dispose();
    this.#unsubscribe();
    await this.#told;
  }

  #observe(event: AgentEvent | HarnessEvent): void {
    if (event.type === "message_end" && event.message.role === "assistant") this.#last = event.message;
    if (event.type === "agent_settled") this.#isAborted = event.aborted;
  }

  #response(signal: AbortSignal): PromptResponse {
    const last = this.#last;
    if (signal.aborted || this.#isAborted || last?.stopReason === "aborted")
      return { stopReason: "cancelled" };
    // A command of an extension answers without the model.
    if (last === undefined) return { stopReason: "end_turn" };
    if (last.stopReason === "length") return { stopReason: "max_tokens" };
    if (last.error?.code === "content_filtered") return { stopReason: "refusal" };
    const failure = answerFailure(last, this.#options.known.logins);
    if (failure !== undefined) throw new Error(inOneLine(failure));
    return { stopReason: "end_turn" };
  }

  async #tellUsage(): Promise<void> {
    const { agent } = this.#options.built;
    const { tokens, contextWindow } = await agent.getContextUsage();
    const { usage } = await agent.getStats();
    const cost = { amount: usage.cost.total, currency: "USD" };
    await this.#tell([{ sessionUpdate: "usage_update", used: tokens, size: contextWindow, cost }]);
  }

  #tell(updates: readonly SessionUpdate[]): Promise<void> {
    const { client } = this.#options;
    for (const update of updates) {
      this.#told = this.#told.then(() =>
        // An editor that is gone is told of by the end of its connection.
        client.notify("session/update", { sessionId: this.id, update }).catch(() => {}),
      );
    }
    return this.#told;
  }
}
