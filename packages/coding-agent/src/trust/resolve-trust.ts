import type { FileSystem } from "../env/environment.ts";
import { type ProjectContent, projectContent } from "./project-content.ts";
import type { TrustStore } from "./trust-store.ts";

/** What the user is asked. */
export interface TrustRequest {
  /** Absolute, links resolved. */
  readonly directory: string;
  /** What would take effect, relative to it. */
  readonly files: readonly string[];
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
  /** Whose instruction files (AGENTS.md) may stand in the prompt, as `createCodingAgent` takes it. */
  readonly contextFiles: "all" | "user";
  /** Why things of the project wait; undefined when nothing does. */
  readonly notice: string | undefined;
}

/**
 * Whether the project's own settings, extensions, skills and prompts may take effect, and its instructions with them.
 *
 * A refusal that was remembered holds until the user changes it; trust holds for the files as they were. A question that
 * fails is a no, and is not remembered. A project that brings instructions only is not asked about: they count unless it
 * was refused.
 */
export async function resolveTrust(options: ResolveTrustOptions): Promise<ProjectTrust> {
  const { store, files, cwd, homeDirectory, flag, ask } = options;
  const directory = await files.realPath(cwd).catch(() => cwd);
  if (directory === homeDirectory) return { isTrusted: false, contextFiles: "all", notice: undefined };
  const content = await projectContent(files, directory);
  if (flag !== undefined) return flag ? TRUSTED : waiting(content);
  const state = await store.stateOf(directory, content.fingerprint);
  if (state === "refused") return waiting(content);
  if (content.files.length === 0) return TRUSTED;
  // Too much to tell whether it changed: that cannot be remembered.
  if (!content.isComplete) return waiting(content);
  if (state === "trusted") return TRUSTED;
  if (ask === undefined) return waiting(content);
  const waits = [...content.files, ...content.instructions];
  const answer = await ask({ directory, files: waits, isChanged: state === "changed" }).catch(
    () => undefined,
  );
  if (answer === undefined) return waiting(content);
  await store.remember(
    directory,
    answer ? { decision: "trusted", fingerprint: content.fingerprint } : { decision: "refused" },
  );
  return answer ? TRUSTED : waiting(content);
}

const TRUSTED: ProjectTrust = { isTrusted: true, contextFiles: "all", notice: undefined };

function waiting({ files, instructions }: ProjectContent): ProjectTrust {
  const waits = [...instructions, ...files];
  if (waits.length === 0) return { isTrusted: false, contextFiles: "user", notice: undefined };
  const some = waits.slice(0, 3).join(", ");
  const more = waits.length > 3 ? ` and ${waits.length - 3} more` : "";
  const notice = `This project is not trusted; not in effect: ${some}${more}.`;
  return { isTrusted: false, contextFiles: "user", notice };
}
