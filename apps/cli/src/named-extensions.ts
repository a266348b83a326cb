import { resolve } from "node:path";
import type { NamedExtensions } from "@coppice/coding-agent";

/** What `--extension` names, with the paths that begin at `cwd` as absolute ones. */
export function fromHere(specs: readonly string[], cwd: string): readonly string[] {
  return specs.map((spec) => (/^\.{1,2}(?:[/\\]|$)/.test(spec) ? resolve(cwd, spec) : spec));
}

/** What the settings of the user and of a trusted project name; relative paths begin where the settings lie. */
export function namedExtensions(
  lists: { readonly user: readonly string[] | undefined; readonly all: readonly string[] | undefined },
  bases: { readonly user: string; readonly project: string },
): readonly NamedExtensions[] {
  const { user = [], all = [] } = lists;
  const own: NamedExtensions = { source: "user", specs: user, base: bases.user };
  // A list of the project stands in place of the user's in the merged settings; here both count.
  const isProjects =
    all.length > 0 && !(all.length === user.length && all.every((spec, at) => spec === user[at]));
  return isProjects ? [{ source: "project", specs: all, base: bases.project }, own] : [own];
}
