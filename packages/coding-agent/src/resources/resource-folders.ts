import { join } from "node:path";
import type { ResourceRoot } from "./resource-root.ts";
import { resolveWrittenPath } from "./written-path.ts";

/** What people bring along in folders. */
export type ResourceKind = "skills" | "prompts" | "themes" | "extensions";

export interface ResourceFoldersOptions {
  /** Absolute. */
  readonly userFolder: string;
  /** Absolute; absent = nothing of a project counts, as in one that is not trusted. */
  readonly projectFolder?: string | undefined;
  /** Absolute; where relative paths of `more` start. `loadSettings` gives absolute ones. */
  readonly cwd: string;
  /** What `~` stands for, and where shared skills of the user lie. */
  readonly homeDirectory?: string | undefined;
  /** More folders that the settings name. */
  readonly more?: Partial<Readonly<Record<ResourceKind, readonly string[]>>>;
}

/**
 * Where resources of each kind are looked for, in order: what the settings name, the project's folder, the user's, and for
 * skills the folders that agents share (`.agents/skills` of the project and of the user).
 */
export function resourceFolders(
  options: ResourceFoldersOptions,
): Readonly<Record<ResourceKind, readonly ResourceRoot[]>> {
  const { userFolder, projectFolder, cwd, homeDirectory, more = {} } = options;
  const named = (path: string): ResourceRoot => ({
    path: resolveWrittenPath(path, { base: cwd, homeDirectory }),
    source: "cli",
  });
  const of = (kind: ResourceKind, shared: readonly ResourceRoot[] = []): readonly ResourceRoot[] => [
    ...(more[kind] ?? []).map(named),
    ...(projectFolder === undefined ? [] : [{ path: join(projectFolder, kind), source: "project" as const }]),
    { path: join(userFolder, kind), source: "user" },
    ...shared,
  ];
  return {
    skills: of("skills", sharedSkills(options)),
    prompts: of("prompts"),
    themes: of("themes"),
    extensions: of("extensions"),
  };
}

/** See agentskills.io, 2026. */
function sharedSkills({
  projectFolder,
  cwd,
  homeDirectory,
}: ResourceFoldersOptions): readonly ResourceRoot[] {
  const ofProject = projectFolder === undefined ? undefined : join(cwd, ".agents/skills");
  const ofUser = homeDirectory === undefined ? undefined : join(homeDirectory, ".agents/skills");
  return [
    ...(ofProject === undefined ? [] : [{ path: ofProject, source: "project" as const }]),
    // At home they are the same folder, and the user's own.
    ...(ofUser === undefined || ofUser === ofProject ? [] : [{ path: ofUser, source: "user" as const }]),
  ];
}
