import type { FileSystem } from "../env/environment.ts";

/** A file system with some of its operations replaced; the others stay those of `files`. */
export function changedFiles<Files extends FileSystem>(files: Files, changes: Partial<FileSystem>): Files {
  return new Proxy(files, {
    get(target, name) {
      const replaced = Reflect.get(changes, name);
      if (replaced !== undefined) return replaced;
      const own: unknown = Reflect.get(target, name);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
