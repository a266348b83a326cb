import { isAbsolute, resolve } from "node:path";
import { CodingAgentError } from "../errors.ts";
import { isPackageName } from "./package-name.ts";

/** What can be installed: a package of the registry, or a folder or tarball of this machine. */
export type PackageSpec =
  | { readonly kind: "registry"; readonly name: string; readonly version: string | undefined }
  | { readonly kind: "path"; readonly path: string };

/** A version, a range or a tag, without anything that a shell or npm could take for something else. */
const VERSION = /^[A-Za-z0-9^~<>=*][A-Za-z0-9.+^~<>=*-]*$/;

/**
 * Reads what a person wants installed: `name`, `@scope/name`, either with `@version`, or a path (`./x`, `/x`, `~/x`).
 *
 * Addresses and git repositories are no packages here: code comes from a registry or from this machine. Throws
 * `invalid_setting`.
 */
export function parsePackageSpec(
  text: string,
  { cwd, homeDirectory }: { readonly cwd: string; readonly homeDirectory?: string | undefined },
): PackageSpec {
  if (/^\.{1,2}(?:[/\\]|$)/.test(text) || isAbsolute(text)) return { kind: "path", path: resolve(cwd, text) };
  if (/^~(?:[/\\]|$)/.test(text) && homeDirectory !== undefined) {
    return { kind: "path", path: resolve(homeDirectory, `.${text.slice(1)}`) };
  }
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  const version = at === -1 ? undefined : text.slice(at + 1);
  if (isPackageName(name) && (version === undefined || VERSION.test(version))) {
    return { kind: "registry", name, version };
  }
  throw new CodingAgentError({
    code: "invalid_setting",
    message: `"${text}" is no package: write name, @scope/name, either with @version, or the path of a folder or tarball.`,
  });
}
