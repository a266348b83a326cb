import type { AgentEvent } from "@coppice/agent";
import { modelName } from "@coppice/ai";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { currentStep, NO_PROGRESS, type Progress, progressAfter, progressText } from "./render/progress.ts";

/** How often the line is rewritten, and how long something is waited for in silence before it is told. */
const TICK_MS = 1_000;

/** Columns of a terminal that does not say how wide it is. */
const DEFAULT_COLUMNS = 80;

export interface RunProgressOptions {
  readonly context: Pick<CliContext, "stdout" | "stderr" | "status" | "style">;
  readonly agent: Pick<AgentHarness, "model">;
  /** Unix milliseconds; default: the clock. */
  readonly now?: () => number;
}

/** Tells on a terminal's standard error what a run waits for, from the second on that it takes. */
export class RunProgress {
  readonly #options: RunProgressOptions;
  #progress: Progress = NO_PROGRESS;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: RunProgressOptions) {
    this.#options = options;
  }

  /** To be called with each event before it is printed. */
  observe(event: AgentEvent | HarnessEvent): void {
    const { context, agent, now = Date.now } = this.#options;
    if (!context.stderr.isTerminal) return;
    const before = currentStep(this.#progress);
    this.#progress = progressAfter(this.#progress, event, {
      model: modelName(agent.model),
      nowMs: now(),
      isAnswerInSight: context.stdout.isTerminal,
    });
    const step = currentStep(this.#progress);
    if (step === before) return;
    this.stop();
    if (step !== undefined) this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Takes the line away. */
  stop(): void {
    clearInterval(this.#timer);
    this.#options.context.status.erase();
  }

  #tick(): void {
    const { context, now = Date.now } = this.#options;
    const columns = context.stderr.columns ?? DEFAULT_COLUMNS;
    context.status.show(context.style("dim", progressText(this.#progress, now(), columns)));
  }
}
