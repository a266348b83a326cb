import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/** The root of this checkout. */
export const ROOT = resolve(import.meta.dirname, "..");

/** The pinned Node that everything here runs on. */
export const NODE = join(ROOT, "node_modules/node/bin/node");

export interface CheckoutCopy extends AsyncDisposable {
  readonly root: string;
}

/** A copy of the sources in a temporary folder, with this checkout's installed packages linked in; deleted on disposal. */
export async function copyCheckout(): Promise<CheckoutCopy> {
  const root = await mkdtemp(join(tmpdir(), "coppice-copy-"));
  const left = new Set(["node_modules", ".git", ".turbo", "dist", "coverage"]);
  for (const part of ["packages", "apps"]) {
    await cp(join(ROOT, part), join(root, part), {
      recursive: true,
      verbatimSymlinks: true,
      // The packages' own node_modules hold only relative links: they lead into the copy.
      filter: (source) => basename(source) === "node_modules" || !left.has(basename(source)),
    });
  }
  for (const file of [".dependency-cruiser.mjs", "package.json", "tsconfig.base.json", "tsconfig.json"]) {
    await cp(join(ROOT, file), join(root, file));
  }
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
