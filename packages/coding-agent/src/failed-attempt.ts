import type { AssistantMessage } from "@coppice/ai";
import type { Session, SessionContext } from "@coppice/session";

/** The newest answer of a context, with the entry that holds it; undefined when something else came after it. */
export function lastAnswer(
  context: SessionContext,
): { readonly entryId: string; readonly message: AssistantMessage } | undefined {
  const last = context.entries.at(-1);
  const message = last?.messages.at(-1);
  if (last === undefined || message?.role !== "assistant") return undefined;
  return { entryId: last.entry.id, message };
}

/** Takes a failed attempt out of the context; it stays in the file and in the totals. */
export async function hideAttempt(session: Session, entryId: string): Promise<void> {
  await session.appendContextEdit(entryId, null);
}
