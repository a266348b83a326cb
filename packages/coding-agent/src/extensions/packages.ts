import { randomUUID } from "node:crypto";
import { access, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { withFileLock } from "../config/file-lock.ts";
import type { FileSystem } from "../env/environment.ts";
import { CodingAgentError, messageOf } from "../errors.ts";
import { extensionFilesAt } from "./extension-entry.ts";
import { isPackageName } from "./package-name.ts";
import type { PackageSpec } from "./package-spec.ts";
import type { RunNpm } from "./run-npm.ts";

/** A package of extensions that is installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

export interface ExtensionPackagesOptions {
  /** `extensions` in the user folder. */
  readonly directory: string;
  readonly files: FileSystem;
  readonly npm: RunNpm;
}

/** What npm keeps in a folder. */
const OWNED = ["node_modules", "package.json", "package-lock.json"] as const;
/** Long enough for another installation to finish. */
const LOCK_WAIT_MS = 120_000;

/** No script of a package runs, nothing but what was asked for is installed, and the host's packages are none of it. */
const INSTALL_FLAGS = [
  ...["--ignore-scripts", "--install-links", "--legacy-peer-deps", "--omit=dev"],
  ...["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--loglevel=error"],
];

/**
 * The packages of extensions in the user folder, installed by the user's npm client without running their scripts.
 *
 * Every change is made aside and put in place when it is whole: a failure or a kill leaves what was there. One process
 * at a time changes them.
 */
export class ExtensionPackages {
  readonly #options: ExtensionPackagesOptions;

  constructor(options: ExtensionPackagesOptions) {
    this.#options = options;
  }

  /** Sorted by name. */
  async list(): Promise<readonly InstalledPackage[]> {
    const { directory } = this.#options;
    const names = Object.keys(await dependenciesIn(directory)).filter(isPackageName);
    return Promise.all(names.toSorted().map((name) => installedIn(directory, name)));
  }

  /** Installs a package, or another version of it. Throws `install_failed`, also for one that is no extension. */
  install(spec: PackageSpec, signal?: AbortSignal): Promise<InstalledPackage> {
    const wanted = spec.kind === "path" ? spec.path : [spec.name, spec.version].filter(Boolean).join("@");
    return this.#aside(async (folder) => {
      if (spec.kind === "path") await access(spec.path).catch(() => fail(`There is no ${spec.path}`));
      await this.#run(["install", ...INSTALL_FLAGS, "--prefix", folder, wanted], { folder, signal });
      const name = spec.kind === "registry" ? spec.name : await nameFrom(folder, spec.path);
      const path = join(folder, "node_modules", name);
      const entries = await extensionFilesAt(this.#options.files, path).catch((error: unknown) => {
        throw failed(`${name} cannot be used: ${messageOf(error)}`);
      });
      if (entries.length === 0) throw failed(`${name} has no extension in it`);
      return installedIn(folder, name);
    });
  }

  /** Throws `install_failed` for one that is not installed. */
  async remove(name: string, signal?: AbortSignal): Promise<void> {
    const { directory } = this.#options;
    if (!Object.hasOwn(await dependenciesIn(directory), name)) throw failed(`${name} is not installed`);
    await this.#aside((folder) =>
      this.#run(["uninstall", ...INSTALL_FLAGS, "--prefix", folder, name], { folder, signal }),
    );
  }

  async #run(
    args: readonly string[],
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { npm } = this.#options;
    const exit = await npm(args, { cwd: folder, ...(signal === undefined ? {} : { signal }) }).catch(
      (error: unknown) => {
        throw failed(`npm could not be started: ${messageOf(error)}`);
      },
    );
    signal?.throwIfAborted();
    if (exit.exitCode !== 0) throw failed(npmFailure(exit.output));
  }

  /** Does `work` on a copy beside the folder, and puts what became of it in place. */
  async #aside<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return withFileLock(join(directory, "package.json"), { waitMs: LOCK_WAIT_MS }, async (assertHeld) => {
      await removeLeftovers(directory);
      // At the same depth, so that relative paths in npm's files mean the same.
      const folder = `${directory}-${randomUUID()}.tmp`;
      try {
        await prepare(directory, folder);
        const result = await work(folder);
        assertHeld();
        await swap(directory, folder);
        return result;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
}

/** A copy of what npm knows, with a package.json that makes the user's own files modules. */
async function prepare(directory: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const name of OWNED) {
    await cp(join(directory, name), join(folder, name), { recursive: true, verbatimSymlinks: true }).catch(
      (error: unknown) => {
        if (!isMissing(error)) throw error;
      },
    );
  }
  const path = join(folder, "package.json");
  const manifest = JSON.parse(await readFile(path, "utf8").catch(() => "{}")) as object;
  await writeFile(path, `${JSON.stringify({ private: true, type: "module", ...manifest }, null, 2)}\n`);
}

/** Puts the new files in place one by one; when one cannot be, those before it are put back. */
async function swap(directory: string, folder: string): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const name of OWNED) {
      const place = join(directory, name);
      const old = join(folder, `old-${name}`);
      if (await moved(place, old)) undo.push(() => rename(old, place));
      if (await moved(join(folder, name), place)) undo.push(() => rename(place, join(folder, name)));
    }
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw failed(messageOf(error));
  }
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** What an installation left that was killed; nobody else works here while the lock is held. */
async function removeLeftovers(directory: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    const isOurs = name.startsWith(`${basename(directory)}-`) && name.endsWith(".tmp");
    if (isOurs) await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function dependenciesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    return manifest.dependencies ?? {};
  } catch (error) {
    if (isMissing(error)) return {};
    throw failed(`${join(folder, "package.json")} cannot be read: ${messageOf(error)}`);
  }
}

async function installedIn(folder: string, name: string): Promise<InstalledPackage> {
  const path = join(folder, "node_modules", name, "package.json");
  const { version } = JSON.parse(await readFile(path, "utf8").catch(() => "{}")) as {
    readonly version?: unknown;
  };
  return { name, version: typeof version === "string" ? version : "unknown" };
}

/** npm files a path under the name that the package has. */
async function nameFrom(folder: string, path: string): Promise<string> {
  const found = Object.entries(await dependenciesIn(folder)).find(
    ([, spec]) => spec.startsWith("file:") && resolve(folder, spec.slice("file:".length)) === path,
  );
  if (found === undefined) throw failed(`${path} is no package`);
  return found[0];
}

function isMissing(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "ENOENT";
}

/** Of all that npm says, the line with the reason: the first behind its facts for programs. */
function npmFailure(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/i, "").trim());
  const facts = /^(?:code|syscall|path|errno|dest) |^A complete log |^$/;
  const reason = lines.find((line) => !facts.test(line));
  return reason === undefined ? "npm failed" : `npm says: ${reason.replace(/\.$/, "")}`;
}

function fail(message: string): never {
  throw failed(message);
}

function failed(message: string): CodingAgentError {
  return new CodingAgentError({ code: "install_failed", message: `${message}. Nothing was changed.` });
}
