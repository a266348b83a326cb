import type { AgentEvent, AgentMessage } from "@coppice/agent";
import type { AgentHarness, HarnessEvent, Shell } from "@coppice/coding-agent";
import { runUserCommand } from "../../user-command.ts";
import { keyText } from "./keymap.ts";
import type { TranscriptView } from "./views/transcript-view.ts";
import type { WorkingLine } from "./views/working-line.ts";

/** A command that a person wrote after `!`, or after `!!` to keep it from the model. */
export interface ShellLine {
  readonly command: string;
  readonly isPrivate: boolean;
}

/** A line taken apart; undefined when it is no command. */
export function parseShellLine(text: string): ShellLine | undefined {
  const match = /^(!!?)\s*([^!\s][\s\S]*)$/.exec(text.trim());
  return match?.[2] === undefined ? undefined : { command: match[2].trim(), isPrivate: match[1] === "!!" };
}

export interface ShellLinesOptions {
  readonly shell: Shell;
  /** The agent at this moment. */
  readonly agent: () => AgentHarness;
  readonly views: {
    readonly transcript: Pick<TranscriptView, "handle">;
    readonly working: Pick<WorkingLine, "show" | "hide">;
  };
  readonly requestRender: () => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly fail: (error: unknown) => void;
}

/** Runs a person's own commands, one at a time, and puts them into the conversation. */
export class ShellLines {
  readonly #options: ShellLinesOptions;
  #running: AbortController | undefined;
  readonly #shown = new WeakSet<AgentMessage>();

  constructor(options: ShellLinesOptions) {
    this.#options = options;
  }

  /** Runs in the session's directory. A conversation that works is not disturbed: the command joins it behind the turn. */
  async run({ command, isPrivate }: ShellLine): Promise<void> {
    const { agent: current, views, fail, requestRender } = this.#options;
    if (this.#running !== undefined)
      return fail(new Error(`A command of yours is running; ${keyText("app.interrupt")} stops it.`));
    const agent = current();
    const running = new AbortController();
    this.#running = running;
    if (!agent.isBusy) views.working.show("Running");
    try {
      const { shell, now } = this.#options;
      const place = { cwd: agent.session.cwd, signal: running.signal };
      const result = await runUserCommand(shell, command, { ...place, now });
      const message = isPrivate ? { ...result, excludeFromContext: true } : result;
      this.#shown.add(message);
      views.transcript.handle({ type: "message_end", message } as AgentEvent);
      if (!agent.isBusy) views.working.hide();
      requestRender();
      await agent.addMessage(message);
    } catch (error) {
      views.working.hide();
      fail(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Whether an event tells of a command that is shown already: it joins the conversation later than it ends. */
  hasShown(event: AgentEvent | HarnessEvent): boolean {
    return event.type === "message_end" && this.#shown.has(event.message);
  }

  /** Stops the command that runs; false when none does. */
  interrupt(): boolean {
    this.#running?.abort();
    return this.#running !== undefined;
  }
}
