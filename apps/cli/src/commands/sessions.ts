import { JsonlRepo, type SessionRepo, type SessionSummary } from "@coppice/session";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { jsonLine } from "../render/json-line.ts";
import { sessionListLines } from "../render/session-list.ts";
import { inertLine } from "../render/terminal-text.ts";
import { transcriptText } from "../render/transcript.ts";
import { newestSession, sessionRef } from "../session-choice.ts";

/** `coppice sessions list [--all]` and `coppice sessions show [id]`; with `--mode json` one JSON line per record. */
export async function runSessionsCommand(context: CliContext): Promise<number> {
  const [verb = "list", ...rest] = context.args.words;
  const repo = new JsonlRepo({ directory: context.places.sessionsDirectory });
  if (verb === "list" && rest.length === 0) return listSessions(context, repo);
  if (verb === "show" && rest.length <= 1) return showSession(context, repo, rest[0]);
  throw new CliError("usage", `"sessions ${[verb, ...rest].join(" ")}" is no command`, {
    advice: "Use `coppice sessions list [--all]` or `coppice sessions show [id]`.",
  });
}

async function listSessions(context: CliContext, repo: SessionRepo): Promise<number> {
  const { args, cwd, stdout, stderr } = context;
  const isAll = args.flags.all === true;
  const sessions: SessionSummary[] = [];
  for await (const item of repo.list(isAll ? {} : { cwd })) {
    if ("diagnostic" in item)
      await stderr.write(`coppice: ${inertLine(`${item.path}: ${item.diagnostic}`, 400)}\n`);
    else sessions.push(item);
  }
  if (args.flags.mode === "json") {
    for (const session of sessions) await stdout.write(jsonLine(session));
    return 0;
  }
  if (sessions.length === 0) {
    await stderr.write(
      isAll ? "No sessions yet.\n" : `No sessions of ${cwd}; --all lists those of every directory.\n`,
    );
    return 0;
  }
  const lines = sessionListLines(sessions, { nowMs: Date.now(), withDirectory: isAll });
  await stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

async function showSession(context: CliContext, repo: SessionRepo, ref: string | undefined): Promise<number> {
  const { cwd, stdout, stderr } = context;
  const wanted = ref === undefined ? await newestRef(repo, cwd) : sessionRef(ref, cwd);
  const session = await repo.open(wanted, { readOnly: true });
  try {
    const { messages, diagnostics } = await session.buildContext();
    for (const diagnostic of diagnostics) await stderr.write(`coppice: ${inertLine(diagnostic, 400)}\n`);
    if (context.args.flags.mode === "json") {
      await stdout.write(jsonLine(session.header));
      for (const message of messages) await stdout.write(jsonLine(message));
      return 0;
    }
    const name = await session.getName();
    const head = [session.id, ...(name === undefined ? [] : [name]), session.cwd].map((part) =>
      inertLine(part, 200),
    );
    await stdout.write(`# ${head.join("  ")}\n\n${transcriptText(messages)}\n`);
    return 0;
  } finally {
    await session.close();
  }
}

async function newestRef(repo: SessionRepo, cwd: string): Promise<string> {
  const newest = await newestSession(repo, cwd);
  if (newest === undefined) throw new CliError("no_session", `No session of ${cwd} to show`);
  return newest.path ?? newest.id;
}
