import type { AgentMessage } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import type { AgentHarness, PromptOptions } from "@coppice/coding-agent";
import { Turns } from "./dialogs/turns.ts";
import { mentionedPaths, type ReadInput, readMentions, withoutFiles } from "./mentioned-files.ts";
import type { PromptEditor } from "./views/prompt-editor.ts";
import type { QueueView } from "./views/queue-view.ts";
import type { WorkingLine } from "./views/working-line.ts";

export interface PromptingOptions {
  /** The agent at this moment. */
  readonly agent: () => AgentHarness;
  readonly views: {
    readonly editor: Pick<PromptEditor, "prepend">;
    readonly working: Pick<WorkingLine, "show" | "hide">;
    readonly queue: Pick<QueueView, "hold">;
  };
  readonly fail: (error: unknown) => void;
}

/** What a person sent, with the files that it mentions. */
interface Sent extends Pick<ReadInput, "text" | "images"> {
  readonly whenBusy: "steer" | "followUp";
}

/** The way of a person's words to the agent, and back when they are taken back. */
export class Prompting {
  readonly #options: PromptingOptions;
  readonly #turns = new Turns();
  #reading = 0;
  /** Stops that are not over. */
  #stopping = 0;
  /** Sent while something was stopped: what stops would never send it. */
  #held: readonly Sent[] = [];

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /**
   * At once when nothing runs; else before the next request (`steer`) or when the work is done (`followUp`). Files that
   * the text mentions are read first; what is sent meanwhile waits its turn.
   */
  send(text: string, whenBusy: "steer" | "followUp"): void {
    if (mentionedPaths(text).length === 0 && this.#reading === 0) {
      this.#deliver({ text, images: [], whenBusy });
    } else {
      this.#reading++;
      void this.#turns.take(() => this.#readAndDeliver(text, whenBusy));
    }
  }

  async #readAndDeliver(text: string, whenBusy: "steer" | "followUp"): Promise<void> {
    const { agent, fail } = this.#options;
    try {
      const input = await readMentions(text, agent().session.cwd);
      for (const problem of input.problems) fail(new Error(problem));
      this.#deliver({ ...input, whenBusy });
    } finally {
      this.#reading--;
    }
  }

  #deliver(sent: Sent): void {
    const { text, images, whenBusy } = sent;
    const agent = this.#options.agent();
    const options = images.length === 0 ? {} : { images };
    if (this.#stopping > 0) this.#hold([...this.#held, sent]);
    else if (agent.isBusy) agent[whenBusy](text, options);
    else void this.#prompt(agent, text, options);
  }

  /**
   * Stops what runs; false when nothing does. Queued text comes back first, so that nothing of it is sent; what is sent
   * from then on goes out once the stop is over.
   */
  interrupt(): boolean {
    const agent = this.#options.agent();
    if (!agent.isBusy) return false;
    this.retract();
    this.#options.views.working.show("Stopping");
    void this.#stop(agent);
    return true;
  }

  /** Puts queued text back into the editor; false when none is queued. */
  retract(): boolean {
    const held = this.#held.map(({ text }) => withoutFiles(text));
    this.#hold([]);
    return this.#giveBack([...userTexts(this.#options.agent().clearQueue()), ...held]);
  }

  /** Puts messages that are not sent back into the editor; false when there are none. */
  handBack(messages: readonly AgentMessage[]): boolean {
    return this.#giveBack(userTexts(messages));
  }

  #giveBack(texts: readonly string[]): boolean {
    if (texts.length > 0) this.#options.views.editor.prepend(texts);
    return texts.length > 0;
  }

  #hold(held: readonly Sent[]): void {
    this.#held = held;
    this.#options.views.queue.hold(held.map(({ text }) => withoutFiles(text)));
  }

  async #stop(agent: AgentHarness): Promise<void> {
    this.#stopping++;
    await agent.abort().catch(this.#options.fail);
    this.#stopping--;
    if (this.#stopping > 0) return;
    const held = this.#held;
    this.#hold([]);
    for (const sent of held) this.#deliver(sent);
  }

  async #prompt(agent: AgentHarness, text: string, options: PromptOptions): Promise<void> {
    const { working } = this.#options.views;
    working.show("Working");
    try {
      await agent.prompt(text, options);
    } catch (error) {
      working.hide();
      this.#options.fail(error);
    }
  }
}

function userTexts(messages: readonly AgentMessage[]): readonly string[] {
  return messages.map((message) => (message.role === "user" ? withoutFiles(textOf(message.content)) : ""));
}
