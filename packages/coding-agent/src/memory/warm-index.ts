import type { Agent } from "@coppice/agent";
import type { Session } from "@coppice/session";
import type { ToolSet } from "../tool-set.ts";
import { RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";

export interface WarmIndexOptions {
  readonly agent: Agent;
  readonly session: Pick<Session, "buildIndex">;
  readonly toolSet: ToolSet;
}

/** A program that begins a run at once, or ends with it, reads for nobody: its answer and its end would wait for that. */
const PAUSE_MS = 1000;

/** Has a large session's index built while nothing runs, texts included, so that no recall need wait for it. */
export class WarmIndex {
  readonly #options: WarmIndexOptions;
  readonly #detach: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WarmIndexOptions) {
    this.#options = options;
    this.#detach = options.agent.subscribe((event) => {
      if (event.type === "agent_start") clearTimeout(this.#timer);
      if (event.type === "agent_end") this.#soon();
    });
    this.#soon();
  }

  /** Builds none from now on. */
  end(): void {
    this.#detach();
    clearTimeout(this.#timer);
  }

  #soon(): void {
    const { session, toolSet } = this.#options;
    clearTimeout(this.#timer);
    const build = () => {
      if (!toolSet.active.some(({ name }) => name === RECALL_TOOL_NAME)) return;
      // Whoever needs the index later is told what is wrong with it.
      session.buildIndex({ withTexts: true }).catch(() => undefined);
    };
    this.#timer = setTimeout(build, PAUSE_MS).unref();
  }
}
