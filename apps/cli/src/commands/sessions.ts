import { JsonlRepo, type SessionRepo, type SessionSummary } from "@coppice/session";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { jsonLine } from "../render/json-line.ts";
import { sessionListLines } from "../render/session-list.ts";
import { inertLine } from "../render/terminal-text.ts";
import { transcriptText } from "../render/transcript.ts";
import { newestSession, sessionRef } from "../session-choice.ts";
import { damageNotices } from "../session-damage.ts";
import { type CommandVerb, runVerb, type VerbCommand, verbLines } from "./command-verb.ts";
import { chosenSessions, tellDamage, tellUnlisted } from "./sessions/chosen-sessions.ts";

type Verb = Omit<CommandVerb, "run"> & {
  run(context: CliContext, repo: JsonlRepo, words: readonly string[]): Promise<number>;
};

/** Every subcommand of `coppice sessions`. */
const VERBS: Readonly<Record<string, Verb>> = {
  list: {
    syntax: "list [--all]",
    help: "sessions of this directory, or of all",
    words: [0, 0],
    run: listSessions,
  },
  show: {
    syntax: "show [id]",
    help: "one session, as the model sees it",
    words: [0, 1],
    run: (context, repo, [ref]) => showSession(context, repo, ref),
  },
  search: {
    syntax: "search <text> [--all]",
    help: "where something was said, in every branch",
    words: [1, Number.POSITIVE_INFINITY],
    run: async (context, repo, words) => {
      const { searchSessions } = await import("./sessions/search.ts");
      return searchSessions(context, repo, words.join(" "));
    },
  },
  recall: {
    syntax: "recall <id> <entry|words…> [--budget <tokens>]",
    help: "what was said, word for word: by entry, by first..last, or by words",
    words: [2, Number.POSITIVE_INFINITY],
    run: async (context, repo, [ref = "", ...words]) => {
      const { recallFromSession } = await import("./sessions/recall.ts");
      return recallFromSession(context, repo, { ref, typed: words.join(" ") });
    },
  },
  doctor: {
    syntax: "doctor [id] [--all] [--repair]",
    help: "what is wrong with session files",
    words: [0, 1],
    run: async (context, repo, [ref]) => {
      const { examineSessions } = await import("./sessions/doctor.ts");
      return examineSessions(context, repo, ref);
    },
  },
  export: {
    syntax: "export <id> [file] [--branch] [--no-redact]",
    help: "a session as a file of its own, without secrets of known forms",
    words: [1, 2],
    run: async (context, repo, [ref = "", file]) => {
      const { exportSession } = await import("./sessions/transfer.ts");
      return exportSession(context, repo, { ref, file });
    },
  },
  import: {
    syntax: "import <path>…",
    help: "take in session files, also of pi, Claude Code, Codex and Gemini CLI, or a folder of them",
    words: [1, Number.POSITIVE_INFINITY],
    run: async (context, repo, words) => {
      const { importSessions } = await import("./sessions/import.ts");
      return importSessions(context, repo, words);
    },
  },
  redact: {
    syntax: "redact <id> [file]",
    help: "a copy without secrets of known forms",
    words: [1, 2],
    run: async (context, repo, [ref = "", file]) => {
      const { redactSession } = await import("./sessions/redact.ts");
      return redactSession(context, repo, { ref, file });
    },
  },
  restore: {
    syntax: "restore <file> [target]",
    help: "such a copy with its secrets put back, on the machine that took them out",
    words: [1, 2],
    run: async (context, _, [file = "", target]) => {
      const { restoreSession } = await import("./sessions/redact.ts");
      return restoreSession(context, { file, target });
    },
  },
  merge: {
    syntax: "merge <file> <file> <target>",
    help: "two copies of one session as one",
    words: [3, 3],
    run: async (context, _, [a = "", b = "", target = ""]) => {
      const { mergeCopies } = await import("./sessions/transfer.ts");
      return mergeCopies(context, { a, b, target });
    },
  },
};

const SESSIONS: VerbCommand = {
  name: "sessions",
  fallback: "list",
  verbs: Object.fromEntries(Object.entries(VERBS).map(([name, verb]) => [name, withRepo(verb)])),
};

/** `coppice sessions VERB`; with `--mode json` one JSON line per record. */
export function runSessionsCommand(context: CliContext): Promise<number> {
  return runVerb(context, SESSIONS);
}

function withRepo(verb: Verb): CommandVerb {
  return {
    ...verb,
    run: (context, words) =>
      verb.run(context, new JsonlRepo({ directory: context.places.sessionsDirectory }), words),
  };
}

/** The text of `coppice sessions --help`. */
export function sessionsHelpText(): string {
  return [
    "coppice sessions: look at the session files, and move them",
    "",
    ...verbLines(SESSIONS),
    "",
    "<id> is a session's id, the beginning of one, or the path of its file.",
    "--session-dir names another folder of sessions, --mode json writes one line of JSON per record.",
    "All flags: coppice --help",
    "",
  ].join("\n");
}

async function listSessions(context: CliContext, repo: JsonlRepo): Promise<number> {
  const { args, cwd, stdout, stderr } = context;
  const isAll = args.flags.all === true;
  const sessions: SessionSummary[] = [];
  for await (const item of chosenSessions(context, repo)) {
    if ("diagnostic" in item) {
      await tellUnlisted(context, item);
      continue;
    }
    await tellDamage(context, item);
    // A program gets each as it is found; for people the newest stands first.
    if (args.flags.mode === "json") await stdout.write(jsonLine(item));
    else sessions.push(item);
  }
  if (args.flags.mode === "json") return 0;
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
    const damage = damageNotices(session.path ?? session.id, session.diagnostics);
    for (const diagnostic of [...damage, ...diagnostics])
      await stderr.write(`coppice: ${inertLine(diagnostic, 400)}\n`);
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
