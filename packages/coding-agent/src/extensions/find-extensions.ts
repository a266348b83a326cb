import { join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";
import type { ResourceSource } from "../resources/resource-root.ts";
import { resolveWrittenPath } from "../resources/written-path.ts";
import { type ExtensionFile, extensionFilesAt, isExtensionFileName, isInside } from "./extension-entry.ts";
import { parseExtensionSpec } from "./package-name.ts";

/** Extensions that somebody wrote down: in settings, or on the command line. */
export interface NamedExtensions {
  readonly source: Exclude<ResourceSource, "package">;
  readonly specs: readonly string[];
  /** Absolute; relative paths begin here. */
  readonly base: string;
}

export interface FindExtensionsOptions {
  readonly files: FileSystem;
  /** `extensions` in the user folder; npm packages lie in its `node_modules`. */
  readonly userExtensions: string;
  /** `extensions` in the project's folder; absent = there is no project, or it is not trusted. */
  readonly projectExtensions?: string | undefined;
  readonly named?: readonly NamedExtensions[];
  /** What `~` in a path stands for; absent: nothing. */
  readonly homeDirectory?: string | undefined;
}

export interface FoundExtension extends ExtensionFile {
  readonly source: ResourceSource;
}

/** Something that is not used, and why. */
export interface ExtensionDiagnostic {
  /** The file or name that is not used. */
  readonly path: string;
  /** Who asked for it. */
  readonly source: ResourceSource;
  readonly message: string;
  /** Where it happened, for whoever wrote the extension. */
  readonly stack?: string | undefined;
}

export interface FoundExtensions {
  /** Command line, project, user, packages: in this order they are set up, and of two that claim a name the first has it. */
  readonly found: readonly FoundExtension[];
  readonly diagnostics: readonly ExtensionDiagnostic[];
}

const ORDER: readonly ResourceSource[] = ["cli", "project", "user", "package"];

/** Finds extension files, each real file once. Runs nothing; what cannot be used is a diagnostic. */
export async function findExtensions(options: FindExtensionsOptions): Promise<FoundExtensions> {
  const search = new Search(options);
  const { projectExtensions, userExtensions, named = [] } = options;
  for (const source of ["cli", "project", "user"] as const) {
    for (const list of named.filter((one) => one.source === source)) await search.named(list);
    if (source === "project" && projectExtensions !== undefined)
      await search.folder(projectExtensions, source);
    if (source === "user") await search.folder(userExtensions, source);
  }
  const rank = ({ source }: FoundExtension) => ORDER.indexOf(source);
  return { found: search.found.toSorted((a, b) => rank(a) - rank(b)), diagnostics: search.diagnostics };
}

class Search {
  readonly found: FoundExtension[] = [];
  readonly diagnostics: ExtensionDiagnostic[] = [];
  readonly #options: FindExtensionsOptions;
  readonly #seen = new Set<string>();

  constructor(options: FindExtensionsOptions) {
    this.#options = options;
  }

  /** Every extension file and folder right in a folder; one that is not there is no problem. */
  async folder(folder: string, source: ResourceSource): Promise<void> {
    const { files } = this.#options;
    const entries = await files.readDirectory(folder).catch(() => []);
    for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (/^[._]/.test(name) || name === "node_modules") continue;
      const path = join(folder, name);
      const kind = (await files.stat(path).catch(() => undefined))?.kind;
      if (kind === "directory" || isExtensionFileName(name)) await this.#at(path, source);
    }
  }

  async named({ source, specs, base }: NamedExtensions): Promise<void> {
    for (const text of specs) {
      try {
        const spec = parseExtensionSpec(text);
        // The command line's come before all others.
        if (spec.kind === "package") await this.#package(spec.name, source === "cli" ? "cli" : "package");
        else await this.#path(spec.path, base, source);
      } catch (error) {
        this.#tell(text, source, error);
      }
    }
  }

  async #package(name: string, source: ResourceSource): Promise<void> {
    const { files, userExtensions } = this.#options;
    const path = join(userExtensions, "node_modules", name);
    if ((await files.stat(path).catch(() => undefined)) === undefined) {
      throw new Error(`${name} is not installed; \`coppice extensions install ${name}\` does that`);
    }
    await this.#at(path, source, true);
  }

  async #path(written: string, base: string, source: ResourceSource): Promise<void> {
    const { files, homeDirectory, projectExtensions } = this.#options;
    const path = resolveWrittenPath(written, { base, homeDirectory });
    if (source === "project") {
      if (projectExtensions === undefined) throw new Error("the project is not trusted");
      // Trust was given for the files in this folder; others may change without a question.
      const [real, allowed] = await Promise.all([files.realPath(path), files.realPath(projectExtensions)]);
      if (!isInside(real, allowed)) throw new Error(`a project's extensions must lie in ${allowed}`);
    }
    await this.#at(path, source, true);
  }

  async #at(path: string, source: ResourceSource, isWanted = false): Promise<void> {
    try {
      const entries = await extensionFilesAt(this.#options.files, path);
      if (entries.length === 0 && isWanted) {
        throw new Error("there is neither a package.json that names an extension nor an index file");
      }
      for (const entry of entries) {
        if (this.#seen.has(entry.path)) continue;
        this.#seen.add(entry.path);
        this.found.push({ ...entry, source });
      }
    } catch (error) {
      this.#tell(path, source, error);
    }
  }

  #tell(path: string, source: ResourceSource, error: unknown): void {
    this.diagnostics.push({
      path,
      source,
      message: `The extension ${path} is left out: ${messageOf(error)}.`,
    });
  }
}
