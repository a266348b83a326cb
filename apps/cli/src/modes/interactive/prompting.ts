import { textOf } from "@coppice/ai";
import type { AgentHarness } from "@coppice/coding-agent";
import type { PromptEditor } from "./views/prompt-editor.ts";
import type { WorkingLine } from "./views/working-line.ts";

export interface PromptingOptions {
  /** The agent at this moment. */
  readonly agent: () => AgentHarness;
  readonly views: { readonly editor: PromptEditor; readonly working: WorkingLine };
  readonly fail: (error: unknown) => void;
}

/** The way of a person's words to the agent, and back when they are taken back. */
export class Prompting {
  readonly #options: PromptingOptions;

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /** At once when nothing runs; else before the next request (`steer`) or when the work is done (`followUp`). */
  send(text: string, whenBusy: "steer" | "followUp"): void {
    const agent = this.#options.agent();
    if (agent.isBusy) agent[whenBusy](text);
    else void this.#prompt(agent, text);
  }

  /** Stops what runs; false when nothing does. Queued text comes back first, so that nothing of it is sent. */
  interrupt(): boolean {
    const agent = this.#options.agent();
    if (!agent.isBusy) return false;
    this.retract();
    this.#options.views.working.show("Stopping");
    agent.abort().catch(this.#options.fail);
    return true;
  }

  /** Puts queued text back into the editor; false when none is queued. */
  retract(): boolean {
    const messages = this.#options.agent().clearQueue();
    const texts = messages.map((message) => (message.role === "user" ? textOf(message.content) : ""));
    if (texts.length > 0) this.#options.views.editor.prepend(texts);
    return texts.length > 0;
  }

  async #prompt(agent: AgentHarness, text: string): Promise<void> {
    const { working } = this.#options.views;
    working.show("Working");
    try {
      await agent.prompt(text);
    } catch (error) {
      working.hide();
      this.#options.fail(error);
    }
  }
}
