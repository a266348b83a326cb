import type { Session, SessionContext } from "@coppice/session";
import type { CompactionRun } from "./compaction-run.ts";
import { type ContextInspection, inspectContext } from "./context-inspection.ts";
import { type ContextUsage, contextUsage } from "./context-usage.ts";
import type { ContextView } from "./context-view.ts";
import type { Pins } from "./pins.ts";
import type { PromptSource } from "./prompt-source.ts";
import { RunningStats, type SessionStats } from "./stats.ts";

export interface ContextInspectorOptions {
  readonly session: Session;
  readonly view: ContextView;
  readonly prompt: PromptSource;
  readonly compaction: CompactionRun;
  readonly pins: Pins;
}

/** Facts about the session and the next request, for people to look at. */
export class ContextInspector {
  readonly #options: ContextInspectorOptions;
  readonly #stats: RunningStats;

  constructor(options: ContextInspectorOptions) {
    this.#options = options;
    this.#stats = new RunningStats(options.session);
  }

  async usage(): Promise<ContextUsage> {
    const { view, prompt, compaction } = this.#options;
    const { contextWindow, triggerTokens } = compaction.settings();
    const contextFilesText = prompt.state().sections.project_context ?? "";
    return contextUsage({ projection: await view.project(), contextFilesText, contextWindow, triggerTokens });
  }

  /** Every entry of the session with its place in the next request. Reads the whole session. */
  async inspect(): Promise<ContextInspection> {
    const { session, view, prompt, pins } = this.#options;
    return inspectContext({
      projection: await view.project(),
      entries: await session.getEntries(),
      path: await session.getBranch(),
      sections: prompt.state().sections,
      pins: await pins.list(),
    });
  }

  async stats(): Promise<SessionStats> {
    return this.#stats.stats();
  }

  context(): Promise<SessionContext> {
    return this.#options.session.buildContext();
  }
}
