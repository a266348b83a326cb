import type { HookRunner } from "@coppice/agent";
import type { Session } from "@coppice/session";
import type { ExtensionHost } from "./extension-host.ts";
import type { CodingAgentHooks, SessionMoment } from "./hooks.ts";
import type { BackgroundCompaction } from "./memory/background-compaction.ts";
import type { WarmIndex } from "./memory/warm-index.ts";
import type { OperationGate } from "./operation-gate.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { ProjectWatch } from "./project-watch.ts";

export interface LifetimeOptions {
  readonly session: Session;
  readonly gate: OperationGate;
  readonly background: BackgroundCompaction;
  readonly index: WarmIndex;
  readonly watch: ProjectWatch;
  readonly writes: PendingWrites;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly extensions: ExtensionHost;
}

/** The first and the last moment of an agent on a session. */
export class Lifetime {
  readonly #options: LifetimeOptions;
  #ended: Promise<void> | undefined;

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#options.hooks.run("session_start", this.#moment(), new AbortController().signal);
  }

  /**
   * Stops what runs, writes what is pending and lets go of the session. Idempotent. `replacedBy`: the session that goes
   * on instead.
   *
   * The session is closed also when it could not be written; `write_failed` is thrown then.
   */
  end(replacedBy?: string): Promise<void> {
    this.#ended ??= this.#end(replacedBy);
    return this.#ended;
  }

  async #end(replacedBy: string | undefined): Promise<void> {
    const { session, gate, background, index, watch, writes, hooks, extensions } = this.#options;
    gate.close(replacedBy === undefined ? "agent_disposed" : "agent_replaced");
    await gate.abort();
    index.end();
    await background.end();
    await watch.end();
    let unloaded: Promise<void> | undefined;
    try {
      const moment = { ...this.#moment(), ...(replacedBy === undefined ? {} : { replacedBy }) };
      await hooks.run("session_shutdown", moment, new AbortController().signal);
      unloaded = extensions.unload();
      await writes.flushOrThrow();
    } finally {
      await unloaded;
      await session.close();
    }
  }

  #moment(): SessionMoment {
    const { id, cwd } = this.#options.session;
    return { sessionId: id, cwd };
  }
}
