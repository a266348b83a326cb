import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { FileSystem } from "./env/environment.ts";
import { messageOf } from "./errors.ts";

/** A file of instructions that the system prompt carries whole, imports resolved. */
export interface ContextFile {
  /** Absolute. */
  readonly path: string;
  readonly content: string;
  /** Of `content`, in UTF-8. */
  readonly sizeBytes: number;
  /** Files that were imported into it, absolute, in order. */
  readonly imports: readonly string[];
}

export interface ContextFilesResult {
  /** The user's own first, then from the root of the file system down to the working directory. */
  readonly files: readonly ContextFile[];
  readonly diagnostics: readonly string[];
}

/**
 * Whose AGENTS.md count: `all`; those of the working directory, of the folders `above` it and of the user, while those
 * below are not told of; or only the `user`'s own, as in a project that is not trusted.
 */
export type ContextFileScope = "all" | "above" | "user";

export interface LoadContextFilesOptions {
  readonly cwd: string;
  /** Where the user's own file lies; absent = none is read. */
  readonly userDirectory?: string | undefined;
  /** Default: `all`. */
  readonly contextFiles?: ContextFileScope | undefined;
  readonly files: FileSystem;
}

/** Per directory the first of these that is a file counts. */
export const CONTEXT_FILE_NAMES = ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];

/** How deep imports may nest; deeper ones stay as text. */
const MAX_IMPORT_DEPTH = 5;

/** A larger file is cut here: instructions beyond this crowd out the work itself. */
const MAX_FILE_BYTES = 65_536;

/**
 * Loads `AGENTS.md` (else `CLAUDE.md`) of the user's folder and of every folder from the root down to `cwd`.
 *
 * Each real file counts once. A line's `@path` outside code imports that file, relative to the importing one; an import
 * must lie inside the folder of the context file, because a repository must not pull the user's other files into a
 * prompt. What cannot be read is one diagnostic and never an error.
 */
export async function loadContextFiles(options: LoadContextFilesOptions): Promise<ContextFilesResult> {
  const loader = new Loader(options.files);
  const directories = [
    ...(options.userDirectory === undefined ? [] : [options.userDirectory]),
    ...(options.contextFiles === "user" ? [] : ancestors(options.cwd)),
  ];
  const paths = await Promise.all(directories.map((directory) => contextFileIn(options.files, directory)));
  const files: ContextFile[] = [];
  for (const path of paths) {
    const file = path === undefined ? undefined : await loader.fromFile(path);
    if (file !== undefined) files.push(file);
  }
  return { files, diagnostics: loader.diagnostics };
}

/** The path of a directory's context file: the first of `CONTEXT_FILE_NAMES` that is a file; undefined where none is. */
export async function contextFileIn(
  files: Pick<FileSystem, "stat">,
  directory: string,
): Promise<string | undefined> {
  const paths = CONTEXT_FILE_NAMES.map((name) => join(directory, name));
  const areFiles = await Promise.all(paths.map((path) => isFile(files, path)));
  return paths.find((_, index) => areFiles[index]);
}

async function isFile(files: Pick<FileSystem, "stat">, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === "file";
  } catch {
    // Absent, or not ours to look at: the next name or folder counts.
    return false;
  }
}

/** Root → directory. */
function ancestors(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

class Loader {
  readonly diagnostics: string[] = [];
  readonly #files: FileSystem;
  readonly #seen = new Set<string>();

  constructor(files: FileSystem) {
    this.#files = files;
  }

  async fromFile(path: string): Promise<ContextFile | undefined> {
    const real = await this.#files.realPath(path);
    if (this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const text = await this.#read(path);
    if (text === undefined) return undefined;
    const imports: string[] = [];
    const root = dirname(path);
    const content = await this.#expand(text, { path, root, depth: 0, chain: [real], imports });
    return { path, content, sizeBytes: Buffer.byteLength(content), imports };
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const bytes = await this.#files.readRange(path, 0, MAX_FILE_BYTES + 1);
      const text = new TextDecoder().decode(bytes.subarray(0, MAX_FILE_BYTES)).replaceAll("\r\n", "\n");
      if (bytes.length <= MAX_FILE_BYTES) return text;
      this.diagnostics.push(
        `${path} is larger than ${MAX_FILE_BYTES / 1024} KB; only its beginning is used.`,
      );
      return `${text.replace(/\uFFFD$/, "")}\n[cut at ${MAX_FILE_BYTES / 1024} KB]`;
    } catch (error) {
      this.diagnostics.push(`${path} could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #expand(text: string, from: ImportSource): Promise<string> {
    const lines: string[] = [];
    let fence: string | undefined;
    for (const line of text.split("\n")) {
      const mark = /^\s*(```|~~~)/.exec(line)?.[1];
      if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
      const target = fence === undefined ? /^\s*(?:[-*]\s+)?@(\S+)\s*$/.exec(line)?.[1] : undefined;
      lines.push(target === undefined ? line : ((await this.#import(target, from)) ?? line));
    }
    return lines.join("\n");
  }

  async #import(target: string, from: ImportSource): Promise<string | undefined> {
    const path = resolve(dirname(from.path), target);
    const refuse = (reason: string): undefined => {
      this.diagnostics.push(`${from.path}: @${target} is not imported: ${reason}`);
      return undefined;
    };
    if (!(await isFile(this.#files, path))) return refuse("there is no such file.");
    const [real, root] = await Promise.all([this.#files.realPath(path), this.#files.realPath(from.root)]);
    if (!isInside(real, root)) return refuse(`it lies outside ${from.root}.`);
    if (from.chain.includes(real)) return refuse("it imports itself.");
    if (from.depth >= MAX_IMPORT_DEPTH) return refuse(`imports nest deeper than ${MAX_IMPORT_DEPTH}.`);
    const text = await this.#read(path);
    if (text === undefined) return undefined;
    from.imports.push(path);
    return this.#expand(text.trimEnd(), {
      ...from,
      path,
      depth: from.depth + 1,
      chain: [...from.chain, real],
    });
  }
}

interface ImportSource {
  readonly path: string;
  readonly root: string;
  readonly depth: number;
  /** Real paths from the context file down to this one. */
  readonly chain: readonly string[];
  readonly imports: string[];
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
