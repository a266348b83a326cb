import type { JsonlRepo, SearchMatch, SessionSummary } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { jsonLine } from "../../render/json-line.ts";
import { newestFirst } from "../../render/session-list.ts";
import { inertLine } from "../../render/terminal-text.ts";
import { chosenSessions, tellUnlisted } from "./chosen-sessions.ts";

/** A session that holds a word often is not shown in full. */
const MAX_MATCHES_PER_SESSION = 20;

/** `coppice sessions search TEXT`: what was said, in every branch, compacted or not; the newest session first, printed as it is found. */
export async function searchSessions(context: CliContext, repo: JsonlRepo, text: string): Promise<number> {
  const { args, stdout, stderr, stop } = context;
  const sessions: SessionSummary[] = [];
  for await (const item of chosenSessions(context, repo)) {
    if ("diagnostic" in item) await tellUnlisted(context, item);
    else sessions.push(item);
  }
  let found = 0;
  for (const item of newestFirst(sessions)) {
    if (stop.signal.aborted) break;
    const matches = await matchesIn(repo, item, text);
    found += matches.length;
    if (args.flags.mode === "json") {
      for (const match of matches)
        await stdout.write(jsonLine({ sessionId: item.id, path: item.path, ...match }));
    } else if (matches.length > 0) await stdout.write(matchText(item, matches));
  }
  if (found === 0) {
    const where =
      args.flags.all === true ? "any session" : "the sessions of this directory; --all looks everywhere";
    await stderr.write(`Not in ${where}.\n`);
  }
  return 0;
}

async function matchesIn(
  repo: JsonlRepo,
  { id, path }: SessionSummary,
  text: string,
): Promise<readonly SearchMatch[]> {
  const session = await repo.open(path ?? id, { readOnly: true });
  try {
    const matches: SearchMatch[] = [];
    for await (const match of session.search(text, { limit: MAX_MATCHES_PER_SESSION })) matches.push(match);
    return matches;
  } finally {
    await session.close();
  }
}

function matchText({ id, name, firstPrompt }: SessionSummary, matches: readonly SearchMatch[]): string {
  const lines = matches.map(({ entryId, timestamp, isOnBranch, snippet }) => {
    const place = `${inertLine(entryId, 40)}  ${inertLine(timestamp, 16)}`;
    return `  ${place}  ${isOnBranch ? "" : "(other branch) "}${inertLine(snippet, 200)}`;
  });
  return `${inertLine(id, 40)}  ${inertLine(name ?? firstPrompt ?? "(empty)", 60)}\n${lines.join("\n")}\n`;
}
