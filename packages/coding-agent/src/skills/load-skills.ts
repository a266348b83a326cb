import { basename, dirname, join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";
import { parseFrontMatter } from "../resources/front-matter.ts";
import { type ResourceRoot, withoutCollisions } from "../resources/resource-root.ts";
import { type IgnoreFile, isIgnored, parseIgnoreFile } from "../tools/search/ignore-rules.ts";
import { type Skill, skillFrom } from "./skill.ts";

export interface LoadSkillsOptions {
  readonly files: FileSystem;
  /** Searched in order; one that is not there is no problem. */
  readonly roots: readonly ResourceRoot[];
  /** Names of built-in commands. */
  readonly reserved?: ReadonlySet<string>;
}

export interface LoadedSkills {
  /** Sorted by name. */
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly string[];
}

const MOST_DEPTH = 6;
/** A root with more folders is no folder of skills. */
const MOST_FOLDERS = 2000;
const HEAD_BYTES = 65_536;

/**
 * Finds skills. A folder with a `SKILL.md` is one skill and is not searched further; each real folder counts once;
 * hidden folders, `node_modules` and what a `.gitignore` on the way names are left out. Bodies are not read.
 */
export async function loadSkills(options: LoadSkillsOptions): Promise<LoadedSkills> {
  const search = new SkillSearch(options.files);
  for (const root of options.roots) await search.root(root);
  const { reserved } = options;
  const { resources, diagnostics } = withoutCollisions(search.found, {
    kind: "skill",
    ...(reserved === undefined ? {} : { reserved }),
  });
  const byName = (a: Skill, b: Skill) => (a.name < b.name ? -1 : 1);
  return { skills: resources.toSorted(byName), diagnostics: [...search.diagnostics, ...diagnostics] };
}

class SkillSearch {
  readonly found: Skill[] = [];
  readonly diagnostics: string[] = [];
  readonly #files: FileSystem;
  readonly #seen = new Set<string>();
  #folders = 0;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  async root(root: ResourceRoot): Promise<void> {
    this.#folders = 0;
    const path = basename(root.path) === "SKILL.md" ? dirname(root.path) : root.path;
    await this.#folder(path, { root: { ...root, path }, relative: "", depth: 0, ignores: [] });
    if (this.#folders > MOST_FOLDERS) {
      this.diagnostics.push(`${path}: only the first ${MOST_FOLDERS} folders were searched for skills.`);
    }
  }

  async #folder(path: string, at: SearchPlace): Promise<void> {
    if (++this.#folders > MOST_FOLDERS || at.depth > MOST_DEPTH) return;
    const real = await this.#files.realPath(path).catch(() => undefined);
    if (real === undefined || this.#seen.has(real)) return;
    this.#seen.add(real);
    const entries = await this.#files.readDirectory(path).catch(() => []);
    if (
      entries.some(({ name }) => name === "SKILL.md") &&
      (await this.#isKind(join(path, "SKILL.md"), "file"))
    ) {
      return this.#skill(join(path, "SKILL.md"), at.root);
    }
    const ignores = await this.#ignores(
      path,
      at,
      entries.some(({ name }) => name === ".gitignore"),
    );
    for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const relative = at.relative === "" ? name : `${at.relative}/${name}`;
      if (name.startsWith(".") || name === "node_modules" || isIgnored(relative, true, ignores)) continue;
      const inner = join(path, name);
      if (await this.#isKind(inner, "directory")) {
        await this.#folder(inner, { ...at, relative, depth: at.depth + 1, ignores });
      }
    }
  }

  async #ignores(path: string, at: SearchPlace, hasFile: boolean): Promise<readonly IgnoreFile[]> {
    if (!hasFile) return at.ignores;
    const bytes = await this.#files.readRange(join(path, ".gitignore"), 0, HEAD_BYTES).catch(() => undefined);
    if (bytes === undefined) return at.ignores;
    return [...at.ignores, parseIgnoreFile(new TextDecoder().decode(bytes), at.relative)];
  }

  async #skill(path: string, { source }: ResourceRoot): Promise<void> {
    try {
      const text = new TextDecoder().decode(await this.#files.readRange(path, 0, HEAD_BYTES));
      const { fields, diagnostics } = await parseFrontMatter(text);
      const folderName = basename(dirname(path));
      const { skill, problems } = skillFrom({ fields, path, folderName, source });
      if (skill !== undefined) this.found.push(skill);
      this.diagnostics.push(...[...diagnostics, ...problems].map((problem) => `${path}: ${problem}.`));
    } catch (error) {
      this.diagnostics.push(`${path} could not be read: ${messageOf(error)}.`);
    }
  }

  /** Follows links. */
  async #isKind(path: string, kind: "file" | "directory"): Promise<boolean> {
    return (await this.#files.stat(path).catch(() => undefined))?.kind === kind;
  }
}

interface SearchPlace {
  readonly root: ResourceRoot;
  /** From the root, with `/`; "" is the root. */
  readonly relative: string;
  readonly depth: number;
  readonly ignores: readonly IgnoreFile[];
}
