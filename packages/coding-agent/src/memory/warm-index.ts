import type { Agent } from "@coppice/agent";
import type { Session } from "@coppice/session";
import type { ToolSet } from "../tool-set.ts";
import { RECALL_TOOL_NAME } from "../tools/recall/entry-quote.ts";

export interface WarmIndexOptions {
  readonly agent: Agent;
  readonly session: Pick<Session, "buildIndex">;
  readonly toolSet: ToolSet;
}

/** Has a large session's index built once a run is over, so that the first recall need not wait for it. */
export function warmIndex({ agent, session, toolSet }: WarmIndexOptions): void {
  agent.subscribe((event) => {
    if (event.type !== "agent_end") return;
    if (!toolSet.active.some(({ name }) => name === RECALL_TOOL_NAME)) return;
    // Whoever needs the index later is told what is wrong with it.
    session.buildIndex().catch(() => undefined);
  });
}
