import { messageOf } from "../errors.ts";
import type { Extension } from "../extension.ts";
import type { Sleep } from "../sleep.ts";
import { withinLimit } from "../within-limit.ts";
import type { ExtensionFile } from "./extension-entry.ts";
import { freshAddress, type HostModules, shareHostModules } from "./host-modules.ts";

export interface ImportExtensionOptions {
  readonly hostModules: HostModules;
  readonly sleep: Sleep;
}

/** How long the top level of an extension may take. */
const IMPORT_LIMIT_MS = 10_000;

/** Syntax that Node does not strip, or files that it does not strip at all. */
const NEEDS_TRANSPILER: ReadonlySet<unknown> = new Set([
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
  "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
]);

/**
 * Runs an extension's file, in modules that no earlier import has seen, and gives what it exports by default: an
 * `Extension`, or a function that is taken for its `setup`.
 *
 * Rejects with whatever the file throws, when it takes more than ten seconds, or when it exports something else.
 */
export async function importExtension(
  file: ExtensionFile,
  { hostModules, sleep }: ImportExtensionOptions,
): Promise<Extension> {
  const shared = await shareHostModules(hostModules);
  let exported: unknown;
  const work = importDefault(file, shared).then((value) => {
    exported = value;
  });
  await withinLimit(work, { sleep, limitMs: IMPORT_LIMIT_MS, what: "its import" });
  return asExtension(exported, file);
}

async function importDefault(file: ExtensionFile, shared: ReadonlyMap<string, object>): Promise<unknown> {
  try {
    return defaultOf(await import(freshAddress(file)));
  } catch (error) {
    if (!NEEDS_TRANSPILER.has((error as { readonly code?: unknown } | undefined)?.code)) throw error;
    return defaultOf(await transpiled(file, shared));
  }
}

/** Only extensions that need it pay for the transpiler. */
async function transpiled(file: ExtensionFile, shared: ReadonlyMap<string, object>): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(file.path, {
    // A cache in a shared temporary folder would be a way in.
    ...{ fsCache: false, moduleCache: false, tryNative: false, interopDefault: false },
    virtualModules: Object.fromEntries(shared),
  });
  return jiti.import(file.path);
}

function defaultOf(namespace: unknown): unknown {
  const { default: value } = (namespace ?? {}) as { readonly default?: unknown };
  // CommonJS that was compiled from a module has its default one level down.
  const inner = (value as { readonly __esModule?: unknown; readonly default?: unknown } | undefined) ?? {};
  return inner.__esModule === true ? inner.default : value;
}

function asExtension(value: unknown, { name, path }: ExtensionFile): Extension {
  if (typeof value === "function") return { name, path, setup: value as NonNullable<Extension["setup"]> };
  const extension = (typeof value === "object" && value !== null ? value : {}) as Partial<Extension>;
  const { setup, onCompaction } = extension;
  const wrong = [setup, onCompaction].some((part) => part !== undefined && typeof part !== "function");
  if (wrong || (setup === undefined && onCompaction === undefined)) {
    throw new Error("its default export is no extension: an object with `setup`, or a function");
  }
  const own = typeof extension.name === "string" && extension.name !== "" ? extension.name : name;
  return {
    name: own,
    path,
    ...(extension.version === undefined ? {} : { version: extension.version }),
    // Bound, because an extension may be an instance of a class.
    ...(setup === undefined ? {} : { setup: setup.bind(extension) }),
    ...(onCompaction === undefined ? {} : { onCompaction: onCompaction.bind(extension) }),
  };
}

/** The line of an error's stack that lies in a folder, for whoever wrote the file. */
export function stackIn(error: unknown, root: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const lines = (error.stack ?? "").split("\n").filter((line) => line.includes(root));
  return lines.length === 0 ? undefined : [messageOf(error), ...lines].join("\n");
}
