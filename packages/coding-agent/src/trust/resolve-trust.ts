import type { ContextFileScope } from "../context-files.ts";
import type { FileSystem } from "../env/environment.ts";
import { projectContent } from "./project-content.ts";
import { type InstructionFolder, projectInstructions } from "./project-instructions.ts";
import type { KnownTrust, TrustStore } from "./trust-store.ts";

/** What the user is asked. */
export interface TrustRequest {
  /** Absolute, links resolved. */
  readonly directory: string;
  /** What would take effect, relative to it. */
  readonly files: readonly string[];
  /** True when `files` are instructions for the model only: they run nothing and change no rule. */
  readonly isInstructionsOnly: boolean;
  /** True when it was trusted before and has changed since. */
  readonly isChanged: boolean;
}

export interface ResolveTrustOptions {
  readonly store: TrustStore;
  readonly files: FileSystem;
  readonly cwd: string;
  /** The user's home: never a project, since what lies there is the user's own. */
  readonly homeDirectory?: string;
  /** What the command line says; counts for this run and is not remembered. */
  readonly flag?: boolean | undefined;
  /** Absent = nobody can be asked, and what is not known is not trusted. */
  readonly ask?: (request: TrustRequest) => Promise<boolean>;
}

export interface ProjectTrust {
  readonly isTrusted: boolean;
  /** Which instruction files (AGENTS.md) may be put before the model, as `createCodingAgent` takes it. */
  readonly contextFiles: ContextFileScope;
  /** Why things of the project wait; undefined when nothing does. */
  readonly notice: string | undefined;
  /** Why the user's answers are neither known nor remembered; absent when they are. */
  readonly storeProblem?: string | undefined;
}

/**
 * Whether the project's own settings, extensions, skills and prompts may take effect, and its instructions with them:
 * before the user says so nothing of the project runs or is put before the model.
 *
 * A refusal that was remembered holds until the user changes it; trust holds for the files as they were, instructions
 * aside. A question that fails is a no, and is not remembered. A project that brings nothing is not asked about. Where
 * the store cannot be read, what is answered counts for this run only, and `storeProblem` says why.
 */
export async function resolveTrust(options: ResolveTrustOptions): Promise<ProjectTrust> {
  const { store, files, cwd, homeDirectory, flag } = options;
  const real = (path: string) => files.realPath(path).catch(() => path);
  const directory = await real(cwd);
  const home = homeDirectory === undefined ? undefined : await real(homeDirectory);
  if (directory === home) return NOTHING;
  if (flag === true) return TRUSTED;
  const known = await store.read();
  const trust = await trustOf({ ...options, directory, home, known });
  return known.problem === undefined ? trust : { ...trust, storeProblem: known.problem };
}

interface TrustQuestion extends ResolveTrustOptions {
  /** Links resolved, as in `home`. */
  readonly directory: string;
  readonly home: string | undefined;
  readonly known: KnownTrust;
}

async function trustOf(question: TrustQuestion): Promise<ProjectTrust> {
  const { store, files, directory, home, homeDirectory, flag, ask, known } = question;
  const content = await projectContent(files, { cwd: directory, homeDirectory });
  const state = flag === false ? "refused" : known.stateOf(directory, content.fingerprint);
  if (state === "trusted" && content.isComplete) return TRUSTED;
  const found = await projectInstructions(files, directory, home);
  const waits = { files: content.files, instructions: unknownOnes(found, question) };
  // Too much to tell whether it changed: that cannot be remembered.
  if (state === "refused" || !content.isComplete) return waiting(waits);
  const isInstructionsOnly = content.files.length === 0;
  if (isInstructionsOnly && (state === "changed" || waits.instructions.length === 0)) {
    // Nothing is there to ask about, or it is what was trusted with less than before.
    return state === "changed" ? TRUSTED : NOTHING;
  }
  if (ask === undefined) return waiting(waits);
  const request: TrustRequest = {
    ...{ directory, isInstructionsOnly, isChanged: state === "changed" },
    files: [...waits.files, ...waits.instructions],
  };
  const answer = await ask(request).catch(() => undefined);
  if (answer === undefined) return waiting(waits);
  if (known.problem === undefined) {
    await store.remember(
      directory,
      answer ? { decision: "trusted", fingerprint: content.fingerprint } : { decision: "refused" },
    );
  }
  return answer ? TRUSTED : waiting(waits);
}

/** Instructions of the project itself, and of the folders above it that nobody trusted by themselves. */
function unknownOnes(
  found: readonly InstructionFolder[],
  { known, directory }: TrustQuestion,
): readonly string[] {
  return found.flatMap((folder) => {
    const isOwn = folder.directory === directory;
    const state = isOwn ? "unknown" : known.stateOf(folder.directory, "");
    return state === "unknown" || state === "refused" ? [folder.file] : [];
  });
}

const TRUSTED: ProjectTrust = { isTrusted: true, contextFiles: "all", notice: undefined };

/** Of a project that brings nothing, and of the user's home: what comes to light below was not agreed to. */
const NOTHING: ProjectTrust = { isTrusted: false, contextFiles: "above", notice: undefined };

interface Waiting {
  readonly files: readonly string[];
  readonly instructions: readonly string[];
}

function waiting({ files, instructions }: Waiting): ProjectTrust {
  const waits = [...instructions, ...files];
  if (waits.length === 0) return { isTrusted: false, contextFiles: "user", notice: undefined };
  const some = waits.slice(0, 3).join(", ");
  const more = waits.length > 3 ? ` and ${waits.length - 3} more` : "";
  const notice = `This project is not trusted; not in effect: ${some}${more}.`;
  return { isTrusted: false, contextFiles: "user", notice };
}
