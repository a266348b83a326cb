import type { Agent } from "@coppice/agent";
import type { Session } from "@coppice/session";
import type { ToolSet } from "../tool-set.ts";
import { RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";

export interface WarmIndexOptions {
  readonly agent: Agent;
  readonly session: Pick<Session, "buildIndex">;
  readonly toolSet: ToolSet;
}

/** A program that ends with its run is gone by then: it would read for nobody, and its own end would wait for that. */
const IDLE_MS = 1000;
/** A model that takes longer to answer may call for something next; one that is quicker is not held up. */
const ANSWER_MS = 500;

/** Has a large session's index built while somebody else is at work, texts included, so that no recall need wait for it. */
export class WarmIndex {
  readonly #options: WarmIndexOptions;
  readonly #detach: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WarmIndexOptions) {
    this.#options = options;
    this.#detach = options.agent.subscribe((event) => {
      if (event.type === "agent_start") this.#in(ANSWER_MS);
      if (event.type === "agent_end") this.#in(IDLE_MS);
    });
    this.#in(IDLE_MS);
  }

  /** Builds none from now on. */
  end(): void {
    this.#detach();
    clearTimeout(this.#timer);
  }

  #in(ms: number): void {
    const { session, toolSet } = this.#options;
    clearTimeout(this.#timer);
    const build = () => {
      if (!toolSet.active.some(({ name }) => name === RECALL_TOOL_NAME)) return;
      // Whoever needs the index later is told what is wrong with it.
      session.buildIndex({ withTexts: true }).catch(() => undefined);
    };
    this.#timer = setTimeout(build, ms).unref();
  }
}
