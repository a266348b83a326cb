import { messageOf } from "../errors.ts";
import type { Extension } from "../extension.ts";
import { type Sleep, sleep as systemSleep } from "../sleep.ts";
import {
  type ExtensionDiagnostic,
  type FindExtensionsOptions,
  type FoundExtension,
  findExtensions,
} from "./find-extensions.ts";
import { DEFAULT_HOST_MODULES, type HostModules } from "./host-modules.ts";
import { importExtension, stackIn } from "./import-extension.ts";

export interface LoadExtensionsOptions extends FindExtensionsOptions {
  /**
   * More modules that extensions share with the host. Whoever embeds this package adds it:
   * `{ "@coppice/coding-agent": () => import("@coppice/coding-agent") }`.
   */
  readonly hostModules?: HostModules;
  /** Waits for slow extensions. */
  readonly sleep?: Sleep;
}

export interface LoadedExtensions {
  /** Ready for `createCodingAgent` and `reloadExtensions`, in order of precedence. */
  readonly extensions: readonly Extension[];
  /** Where each of them came from, in the same order. */
  readonly found: readonly FoundExtension[];
  readonly diagnostics: readonly ExtensionDiagnostic[];
}

/**
 * Finds and imports extensions: from folders, settings and npm packages. Each call gives new modules, so that a reload
 * sees what changed. One that fails is a diagnostic; the others are loaded.
 *
 * Extensions run with all rights of the process: a project's only once it is trusted (`projectExtensions`).
 */
export async function loadExtensions(options: LoadExtensionsOptions): Promise<LoadedExtensions> {
  const { hostModules = {}, sleep = systemSleep } = options;
  const { found, diagnostics: notFound } = await findExtensions(options);
  const extensions: Extension[] = [];
  const loaded: FoundExtension[] = [];
  const diagnostics = [...notFound];
  for (const file of found) {
    try {
      const modules = { ...DEFAULT_HOST_MODULES, ...hostModules };
      extensions.push(await importExtension(file, { hostModules: modules, sleep }));
      loaded.push(file);
    } catch (error) {
      const message = `The extension ${file.path} is left out: ${messageOf(error)}`;
      diagnostics.push({ path: file.path, source: file.source, message, stack: stackIn(error, file.root) });
    }
  }
  return { extensions, found: loaded, diagnostics };
}
