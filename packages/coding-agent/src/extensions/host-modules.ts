import { readFileSync } from "node:fs";
import { createRequire, type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Modules that extensions share with their host, by specifier. */
export type HostModules = Readonly<Record<string, () => Promise<object>>>;

/** The running instances of the layers below. This package cannot name itself: its user adds it. */
export const DEFAULT_HOST_MODULES: HostModules = {
  "@coppice/agent": () => import("@coppice/agent"),
  "@coppice/ai": () => import("@coppice/ai"),
  "@coppice/compaction": () => import("@coppice/compaction"),
  "@coppice/session": () => import("@coppice/session"),
  typebox: () => import("typebox"),
  "typebox/value": () => import("typebox/value"),
};

/** The query that marks the modules of one load of one extension, so that a reload gets new ones. */
const MARK = "coppice-load";
const HOST_SCHEME = "coppice-host:";

/** A namespace object that modules made from text can reach. */
const SHARED = Symbol.for("coppice.host-modules");

interface Load {
  /** A `file:` address that ends in `/`. */
  readonly root: string;
}

/** The process's module hooks: Node has one chain of them for all, so that this is one for all as well. */
const namespaces = new Map<string, object>();
const loads = new Map<string, Load>();
const roots = new Set<string>();
let isInstalled = false;

/** Makes host modules known, and gives the namespaces that are. */
export async function shareHostModules(modules: HostModules): Promise<ReadonlyMap<string, object>> {
  for (const [name, load] of Object.entries(modules)) namespaces.set(name, await load());
  return namespaces;
}

export interface LoadAddress {
  /** Absolute. */
  readonly path: string;
  /** The folder whose modules are loaded anew with it; absolute. */
  readonly root: string;
}

/**
 * An address to import an extension's file at, with modules of its own at each call.
 *
 * What lies in `root` gets host modules and is found without its ending, as TypeScript writes it.
 */
export function freshAddress({ path, root }: LoadAddress): string {
  install();
  const folder = `${pathToFileURL(root).href}/`;
  const id = String(loads.size + 1);
  loads.set(id, { root: folder });
  roots.add(rootOfAll(folder));
  forgetRequired(root);
  return `${pathToFileURL(path).href}?${MARK}=${id}`;
}

/** Packages beside an installed extension are its dependencies: they share the host's modules too. */
function rootOfAll(folder: string): string {
  const at = folder.indexOf("/node_modules/");
  return at === -1 ? folder : folder.slice(0, at + 1);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  (globalThis as Record<symbol, unknown>)[SHARED] = namespaces;
  registerHooks({ resolve: resolveForExtensions, load: loadForExtensions });
}

const resolveForExtensions: ResolveHookSync = (specifier, context, nextResolve) => {
  const parent = context.parentURL;
  if (parent === undefined || !isOfExtension(parent)) return nextResolve(specifier, context);
  if (namespaces.has(specifier)) {
    return { url: HOST_SCHEME + specifier, format: "module", shortCircuit: true };
  }
  const resolved = resolveLeniently(specifier, (wanted) => nextResolve(wanted, context));
  return { ...resolved, url: marked(resolved.url, parent) };
};

const loadForExtensions: LoadHookSync = (url, context, nextLoad) => {
  if (url.startsWith(HOST_SCHEME)) {
    return {
      format: "module",
      shortCircuit: true,
      source: sourceOf(url.slice(HOST_SCHEME.length)),
    };
  }
  const format = isOfExtension(url) ? formatOf(url, context.format) : context.format;
  return nextLoad(url, format === context.format ? context : { ...context, format });
};

function isOfExtension(url: string): boolean {
  for (const root of roots) if (url.startsWith(root)) return true;
  return false;
}

type Resolved = ReturnType<ResolveHookSync>;

/** Node's own way first, then the endings that people leave out. */
function resolveLeniently(specifier: string, next: (specifier: string) => Resolved): Resolved {
  try {
    return next(specifier);
  } catch (error) {
    if (!/^\.{1,2}\//.test(specifier)) throw error;
    for (const other of [specifier.replace(/\.js$/, ".ts"), `${specifier}.ts`, `${specifier}/index.ts`]) {
      if (other === specifier) continue;
      try {
        return next(other);
      } catch {
        // The first error says what was written.
      }
    }
    throw error;
  }
}

/** An extension's own modules carry the mark of the one that imports them; its dependencies are shared between loads. */
function marked(url: string, parent: string): string {
  const id = parent.startsWith("file:") ? new URL(parent).searchParams.get(MARK) : null;
  const load = id === null ? undefined : loads.get(id);
  const isOwn =
    load !== undefined &&
    url.startsWith(load.root) &&
    !url.slice(load.root.length - 1).includes("/node_modules/");
  if (!isOwn || url.includes("?")) return url;
  return `${url}?${MARK}=${id}`;
}

/** Where no package.json says what a file is, Node guesses and warns on the user's screen; extensions are modules. */
function formatOf(url: string, format: string | null | undefined): string | null | undefined {
  if (format !== null && format !== undefined) return format;
  const { pathname } = new URL(url);
  if (pathname.endsWith(".ts")) return "module-typescript";
  if (!pathname.endsWith(".js")) return format;
  const text = readFileSync(fileURLToPath(`file://${pathname}`), "utf8");
  return /^[ \t]*(?:import|export)\b/m.test(text) ? "module" : "commonjs";
}

/** A module that passes on what the host's has. */
function sourceOf(name: string): string {
  const names = Object.keys(namespaces.get(name) ?? {});
  const shared = `globalThis[Symbol.for("coppice.host-modules")].get(${JSON.stringify(name)})`;
  const lines = names.flatMap((key, index) => [
    `const value${index} = shared[${JSON.stringify(key)}];`,
    `export { value${index} as ${JSON.stringify(key)} };`,
  ]);
  return [`const shared = ${shared};`, ...lines].join("\n");
}

/** CommonJS files are kept by path, whatever the address says. */
function forgetRequired(root: string): void {
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache)) {
    const isOwn =
      path.startsWith(root + sep) && !path.slice(root.length).includes(`${sep}node_modules${sep}`);
    if (isOwn) delete cache[path];
  }
}
