import { isAbsolute, resolve } from "node:path";
import { JsonlRepo, MemoryRepo, type Session, type SessionRepo, type SessionSummary } from "@coppice/session";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { damageNotices } from "./session-damage.ts";
import { toolsDirectory } from "./tools-directory.ts";

/** The session of a run and the directory it works in. */
export interface ChosenSession {
  readonly session: Session;
  /** Where the session is kept, and where forks of it go. */
  readonly repo: SessionRepo;
  readonly isResumed: boolean;
  /** Absolute; where the tools work. */
  readonly cwd: string;
  /** What a person should know about the choice, one line each. */
  readonly notices: readonly string[];
}

/** Opens or creates the session that the flags ask for. Throws `CliError` `no_session` or the store's errors. */
export async function chooseSession(context: CliContext): Promise<ChosenSession> {
  const { args, cwd, places } = context;
  if (args.flags["no-session"]) return fresh(new MemoryRepo(), cwd);
  const repo = new JsonlRepo({ directory: places.sessionsDirectory });
  const { session: ref, fork, resume } = args.flags;
  if (ref !== undefined) return resumed(repo, await repo.open(sessionRef(ref, cwd), { cwd }), cwd);
  if (fork !== undefined) return resumed(repo, await forkOf(repo, sessionRef(fork, cwd), cwd), cwd);
  if (resume)
    throw new CliError("usage", "--resume asks a person which session, and nobody is there", {
      advice: "Use --continue, or --session with an id of `coppice sessions list`.",
    });
  if (!args.flags.continue) return fresh(repo, cwd);
  const newest = await newestSession(repo, cwd);
  if (newest === undefined) {
    throw new CliError("no_session", `No session of ${cwd} to continue in ${places.sessionsDirectory}`, {
      advice: "Start one without --continue; `coppice sessions list --all` shows those of other directories.",
    });
  }
  return resumed(repo, await repo.open(newest.path ?? newest.id), cwd);
}

/** The session of a directory with the newest message; the directory is the one its header names. */
export async function newestSession(repo: SessionRepo, cwd: string): Promise<SessionSummary | undefined> {
  let newest: SessionSummary | undefined;
  for await (const item of repo.list({ cwd })) {
    if ("diagnostic" in item || item.cwd !== cwd) continue;
    if (newest === undefined || item.lastMessageAt > newest.lastMessageAt) newest = item;
  }
  return newest;
}

/** A file path is made absolute; an id or its beginning stays as it is. */
export function sessionRef(ref: string, cwd: string): string {
  const isPath = isAbsolute(ref) || /[/\\]/.test(ref) || ref.endsWith(".jsonl");
  return isPath ? resolve(cwd, ref) : ref;
}

async function fresh(repo: SessionRepo, cwd: string): Promise<ChosenSession> {
  return { session: await repo.create({ cwd }), repo, isResumed: false, cwd, notices: [] };
}

/** A fork that was made by an agent, as the session to go on with. */
export async function forkedSession({ args, places }: CliContext, session: Session): Promise<ChosenSession> {
  const isStored = args.flags["no-session"] !== true && session.path !== undefined;
  const repo = isStored ? new JsonlRepo({ directory: places.sessionsDirectory }) : new MemoryRepo();
  return resumed(repo, session, session.cwd);
}

/** The source is only read: it may be in use. Where its directory is gone the copy works here. */
async function forkOf(repo: SessionRepo, ref: string, cwd: string): Promise<Session> {
  const source = await repo.open(ref, { readOnly: true });
  try {
    return await repo.fork(source, { cwd: await toolsDirectory(source.cwd, cwd) });
  } finally {
    await source.close();
  }
}

/** A session goes on in its own directory: the paths in its history are relative to it. */
async function resumed(repo: SessionRepo, session: Session, cwd: string): Promise<ChosenSession> {
  const { path, diagnostics } = session;
  const damage = path === undefined ? [] : damageNotices(path, diagnostics);
  if (session.cwd === cwd) return { session, repo, isResumed: true, cwd, notices: damage };
  const place = await toolsDirectory(session.cwd, cwd);
  const notice =
    place === session.cwd
      ? `working in ${place}, the session's directory`
      : `the session's directory ${session.cwd} is gone; working in ${place}`;
  return { session, repo, isResumed: true, cwd: place, notices: [...damage, notice] };
}

/** Refuses a session whose directory is gone, where nobody can be asked (fault B027). Throws `CliError` `no_directory`. */
export function requireDirectory({ session, cwd }: ChosenSession): void {
  if (session.cwd === cwd) return;
  throw new CliError(
    "no_directory",
    `The session's directory ${session.cwd} is gone; the session was left as it is`,
    {
      advice: `Make it again, or go on here in a copy: \`coppice --fork ${session.id}\`.`,
    },
  );
}
