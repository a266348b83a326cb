import { basename, join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";
import { parseFrontMatter } from "../resources/front-matter.ts";
import { type ResourceRoot, type ResourceSource, withoutCollisions } from "../resources/resource-root.ts";

/** A prompt that the user calls as `/name`. */
export interface PromptTemplate {
  readonly name: string;
  /** From the head, else the first line of the text. */
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly template: string;
  /** Absolute. */
  readonly path: string;
  readonly source: ResourceSource;
}

export interface LoadPromptTemplatesOptions {
  readonly files: FileSystem;
  /** Folders whose `*.md` are templates, or single files; one that is not there is no problem. */
  readonly roots: readonly ResourceRoot[];
  /** Names of built-in commands. */
  readonly reserved?: ReadonlySet<string>;
}

const MOST_BYTES = 262_144;
const MOST_DESCRIPTION_CHARS = 100;

/** Reads prompt templates, sorted by name. What cannot be used is one diagnostic and never an error. */
export async function loadPromptTemplates(
  options: LoadPromptTemplatesOptions,
): Promise<{ readonly templates: readonly PromptTemplate[]; readonly diagnostics: readonly string[] }> {
  const { files, roots, reserved } = options;
  const found: PromptTemplate[] = [];
  const diagnostics: string[] = [];
  for (const { path: root, source } of roots) {
    for (const path of await templateFiles(files, root)) {
      const name = basename(path).replace(/\.md$/i, "");
      if (!/^[\w][\w.:-]*$/.test(name)) {
        diagnostics.push(`${path}: "${name}" cannot be the name of a command.`);
        continue;
      }
      try {
        const text = new TextDecoder().decode(await files.readRange(path, 0, MOST_BYTES));
        const { fields, body, diagnostics: ofHead } = await parseFrontMatter(text);
        diagnostics.push(...ofHead.map((problem) => `${path}: ${problem}.`));
        const field = (key: string) => (typeof fields[key] === "string" ? fields[key] : undefined);
        const firstLine = body.split("\n", 1)[0]?.trim().slice(0, MOST_DESCRIPTION_CHARS) ?? "";
        found.push({
          ...{ name, path, source, template: body },
          description: field("description") ?? firstLine,
          argumentHint: field("argument-hint"),
        });
      } catch (error) {
        diagnostics.push(`${path} could not be read: ${messageOf(error)}.`);
      }
    }
  }
  const unique = withoutCollisions(found, {
    kind: "prompt template",
    ...(reserved === undefined ? {} : { reserved }),
  });
  const byName = (a: PromptTemplate, b: PromptTemplate) => (a.name < b.name ? -1 : 1);
  return {
    templates: unique.resources.toSorted(byName),
    diagnostics: [...diagnostics, ...unique.diagnostics],
  };
}

async function templateFiles(files: FileSystem, root: string): Promise<readonly string[]> {
  const kind = (await files.stat(root).catch(() => undefined))?.kind;
  if (kind === "file") return [root];
  if (kind !== "directory") return [];
  const names = (await files.readDirectory(root).catch(() => []))
    .map(({ name }) => name)
    .filter((name) => /\.md$/i.test(name) && !name.startsWith("."))
    .sort();
  const paths = names.map((name) => join(root, name));
  const kinds = await Promise.all(paths.map((path) => files.stat(path).catch(() => undefined)));
  return paths.filter((_, index) => kinds[index]?.kind === "file");
}
