import type { Model, Usage } from "@coppice/ai";
import type { Session } from "@coppice/session";

/** Puts what a summary cost into the session's totals before anybody decides whether it is used. */
export async function recordSummaryUsage(
  session: Session,
  model: Model,
  usage: Usage | undefined,
): Promise<void> {
  if (usage === undefined || usage.totalTokens === 0) return;
  await session.appendUsage({ kind: "compaction", provider: model.provider, model: model.id, usage });
}
