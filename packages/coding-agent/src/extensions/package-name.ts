import { CodingAgentError } from "../errors.ts";

/** Npm's rules for names; nothing in it can lead out of `node_modules`. */
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/;

/** True for a name that a package may have: `name` or `@scope/name`. */
export function isPackageName(text: string): boolean {
  return text.length <= 214 && PACKAGE_NAME.test(text) && text !== "node_modules";
}

/** What an extension is named by in settings and on the command line. */
export type ExtensionSpec =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "package"; readonly name: string };

/**
 * Reads a name: what begins with `.`, `/` or `~`, or with a drive, is a path; anything else must be the name of a package.
 *
 * Throws `invalid_setting`.
 */
export function parseExtensionSpec(text: string): ExtensionSpec {
  if (/^(?:\.{1,2}(?:[/\\]|$)|\/|~(?:[/\\]|$)|[A-Za-z]:[/\\])/.test(text))
    return { kind: "path", path: text };
  if (isPackageName(text)) return { kind: "package", name: text };
  throw new CodingAgentError({
    code: "invalid_setting",
    message: `"${text}" names no extension: write a path such as ./x.ts, or the name of a package such as @scope/name.`,
  });
}
