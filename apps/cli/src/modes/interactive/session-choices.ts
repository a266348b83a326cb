import { JsonlRepo, type SessionSummary } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { ageText } from "../../render/units.ts";
import type { Choice } from "./views/picker.ts";

/** The sessions of a directory to choose from, newest first; the value is what `--session` takes. */
export async function sessionChoices(
  { places }: Pick<CliContext, "places">,
  { cwd, nowMs }: { readonly cwd: string; readonly nowMs: number },
): Promise<readonly Choice[]> {
  const sessions: SessionSummary[] = [];
  for await (const item of new JsonlRepo({ directory: places.sessionsDirectory }).list({ cwd })) {
    if (!("diagnostic" in item)) sessions.push(item);
  }
  return sessions
    .sort((a, b) => (a.lastMessageAt < b.lastMessageAt ? 1 : -1))
    .map(({ id, path, name, firstPrompt, lastMessageAt, messageCount }) => ({
      value: path ?? id,
      label: name ?? firstPrompt ?? "(empty)",
      description: `${ageText(Date.parse(lastMessageAt), nowMs)} · ${messageCount} messages`,
    }));
}
