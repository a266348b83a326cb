import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { HookRunner, ToolOutcome } from "@coppice/agent";
import { CONTEXT_FILE_NAMES, type ContextFile } from "./context-files.ts";
import type { FileSystem } from "./env/environment.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { commandPaths } from "./permissions/command-paths.ts";
import { splitShellLine } from "./permissions/split-shell-line.ts";
import type { BashDetails } from "./tools/bash/tool.ts";
import { findPath } from "./tools/existing-path.ts";

export interface NestedContextOptions {
  readonly cwd: string;
  readonly files: FileSystem;
  readonly homeDirectory?: string | undefined;
  /** What the system prompt carries already. */
  readonly loaded: () => readonly ContextFile[];
}

/** More folders than this at once are looked at when the agent works there by themselves. */
const MOST_FOLDERS = 200;

/**
 * Tells the model of instruction files below the working directory when it first works beside them.
 *
 * Only their names and sizes are told: the file itself is read when the model wants it. After a compaction they are told
 * again, since what was read of them may be gone.
 */
export class NestedContext {
  readonly #options: NestedContextOptions;
  #told = new Set<string>();

  constructor(options: NestedContextOptions) {
    this.#options = options;
  }

  /** Returns what stops it. */
  attach(hooks: HookRunner<CodingAgentHooks>): () => void {
    const registration = { owner: "nested context files" };
    const undo = [
      hooks.on("tool_result", (outcome) => this.#announce(outcome), registration),
      hooks.on("session_compact", () => this.#told.clear(), registration),
      hooks.on("session_tree", () => this.#told.clear(), registration),
    ];
    return () => {
      for (const step of undo) step();
    };
  }

  async #announce(outcome: ToolOutcome): Promise<Partial<ToolOutcome> | undefined> {
    const { cwd } = this.#options;
    const targets = await this.#targets(outcome);
    const folders = new Set(targets.flatMap((target) => foldersBelow(cwd, target)));
    const notices: string[] = [];
    for (const folder of [...folders].slice(0, MOST_FOLDERS)) {
      const file = await this.#fileIn(folder);
      if (file === undefined || this.#told.has(file.path)) continue;
      this.#told.add(file.path);
      // The model is reading it right now.
      if (targets.includes(file.path)) continue;
      const name = shownName(relative(cwd, file.path));
      notices.push(
        `[${name} (${file.sizeBytes} bytes) has instructions for this folder. Read it before you change files here.]`,
      );
    }
    if (notices.length === 0) return undefined;
    return { content: [...outcome.content, { type: "text", text: `\n${notices.join("\n")}` }] };
  }

  /** The files and folders that a call worked on, absolute. A failed command has worked somewhere all the same. */
  async #targets({ call, input, isError, details }: ToolOutcome): Promise<readonly string[]> {
    const { cwd, files, homeDirectory } = this.#options;
    if (call.name === "bash") {
      const { modifiedFiles = [] } = (details ?? {}) as Partial<BashDetails>;
      const line = splitShellLine(typeof input.command === "string" ? input.command : "");
      const named = commandPaths(line, { cwd, homeDirectory }).map(({ path, within }) => within ?? path);
      return [...modifiedFiles.map((path) => join(cwd, path)), ...named];
    }
    const { path } = input;
    if (isError || typeof path !== "string" || path.includes("\0")) return [];
    return [await findPath(path, { cwd, environment: { files, homeDirectory } })];
  }

  async #fileIn(folder: string): Promise<{ readonly path: string; readonly sizeBytes: number } | undefined> {
    const { files, loaded } = this.#options;
    for (const name of CONTEXT_FILE_NAMES) {
      const path = join(folder, name);
      const info = await files.stat(path).catch(() => undefined);
      if (info?.kind !== "file") continue;
      const isLoaded = loaded().some((file) => file.path === path || file.imports.includes(path));
      return isLoaded ? undefined : { path, sizeBytes: info.sizeBytes };
    }
    return undefined;
  }
}

/** The folders strictly below `cwd` that lead to a path, the path itself included; none for a path outside. */
function foldersBelow(cwd: string, target: string): readonly string[] {
  const way = relative(cwd, target);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return [];
  const folders: string[] = [];
  for (let folder = target; folder !== cwd; folder = dirname(folder)) folders.push(folder);
  return folders.reverse();
}

/** A file name is not ours: control characters in it could pass for a line of the notice. */
function shownName(path: string): string {
  return path.replaceAll(/\p{Cc}/gu, "?").replaceAll(sep, "/");
}
