import { isAbsolute, relative, resolve, sep } from "node:path";

/** The absolute path of what a model wrote. */
export function resolveToolPath(path: string, cwd: string): string {
  return resolve(cwd, path);
}

/** How a path is shown to the model: relative to `cwd` where inside it, with `/`. */
export function displayPath(path: string, cwd: string): string {
  const fromCwd = relative(cwd, path);
  if (fromCwd === "") return ".";
  const isInside = !isAbsolute(fromCwd) && fromCwd !== ".." && !fromCwd.startsWith(`..${sep}`);
  return (isInside ? fromCwd : path).replaceAll(sep, "/");
}
