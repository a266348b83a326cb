import type { FileSystem } from "../env/environment.ts";
import { projectContent } from "./project-content.ts";
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
  /** Why things of the project wait; undefined when nothing does. */
  readonly notice: string | undefined;
}

/**
 * Whether the project's own settings, extensions, skills and prompts may take effect.
 *
 * A refusal that was remembered holds until the user changes it; trust holds for the files as they were. A question that
 * fails is a no, and is not remembered.
 */
export async function resolveTrust(options: ResolveTrustOptions): Promise<ProjectTrust> {
  const { store, files, cwd, homeDirectory, flag, ask } = options;
  const directory = await files.realPath(cwd).catch(() => cwd);
  if (directory === homeDirectory) return { isTrusted: false, notice: undefined };
  const content = await projectContent(files, directory);
  if (content.files.length === 0) return { isTrusted: true, notice: undefined };
  if (flag !== undefined) return flag ? trusted() : waiting(content.files);
  // Too much to tell whether it changed: that cannot be remembered.
  if (!content.isComplete) return waiting(content.files);
  const state = await store.stateOf(directory, content.fingerprint);
  if (state === "trusted") return trusted();
  if (state === "refused" || ask === undefined) return waiting(content.files);
  const request = { directory, files: content.files, isChanged: state === "changed" };
  const answer = await ask(request).catch(() => undefined);
  if (answer === undefined) return waiting(content.files);
  await store.remember(
    directory,
    answer ? { decision: "trusted", fingerprint: content.fingerprint } : { decision: "refused" },
  );
  return answer ? trusted() : waiting(content.files);
}

function trusted(): ProjectTrust {
  return { isTrusted: true, notice: undefined };
}

function waiting(files: readonly string[]): ProjectTrust {
  const some = files.slice(0, 3).join(", ");
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  return { isTrusted: false, notice: `This project is not trusted; not in effect: ${some}${more}.` };
}
