import { join } from "node:path";
import {
  createLocalConfigFiles,
  createMcpExtension,
  type Environment,
  type Extension,
  type FindExtensionsOptions,
  loadExtensions,
  type McpServers,
} from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { FOLDER } from "./places.ts";
import { inertLine } from "./render/terminal-text.ts";
import type { Setup } from "./setup.ts";

const MAX_NAME_CHARACTERS = 80;

export interface UserExtensionsOptions {
  readonly context: Pick<CliContext, "places" | "environment" | "mcpServers"> &
    Partial<Pick<CliContext, "person">>;
  readonly setup: Pick<Setup, "isTrusted" | "namedExtensions">;
  /** Absolute; where the tools work. */
  readonly cwd: string;
  readonly files: Environment["files"];
  /** Takes the MCP servers when the agent sets them up; not called where there are none. */
  readonly onMcpServers?: (servers: McpServers) => void;
}

/** Extensions for an agent. */
export interface UserExtensions {
  readonly extensions: readonly Extension[];
  /** Throws `CliError` `usage` when one that the command line names could not be set up; for after the agent is made. */
  readonly requireNamed: () => void;
  /** Whatever the agent waited for is over; for after it is made, or was not. */
  readonly endWaiting: () => void;
}

/**
 * The extensions of the user and of a trusted project, as they are now, and the MCP servers of both.
 *
 * What cannot be loaded is reported by the first of them, once the agent has a listener. With `isStrict` one that the
 * command line names throws `CliError` `usage`: it may be what keeps the run within its bounds.
 */
export async function userExtensions(
  options: UserExtensionsOptions & { readonly isStrict: boolean },
): Promise<UserExtensions> {
  const { context, setup, cwd, isStrict } = options;
  const waits = waitsOf(context.person);
  const loading = loadExtensions({
    ...extensionSearch(options),
    hostModules: { "@coppice/coding-agent": () => import("@coppice/coding-agent") },
  });
  const { extensions, found, diagnostics } = await loading.finally(
    waits.begin("the extensions to be loaded"),
  );
  const unusable = diagnostics.find(({ source }) => source === "cli");
  if (isStrict && unusable !== undefined) {
    throw unusableExtension(unusable.message);
  }
  const watch = new SetupWatch();
  const watchedBy = (extension: Extension, index: number) =>
    waits.during(found[index]?.source === "cli" ? watch.watched(extension) : extension);
  const reports: Extension = {
    name: "coppice.extensions",
    async setup(api) {
      for (const { message } of diagnostics) await api.report(message, "error");
    },
  };
  const mcp = createMcpExtension({
    files: createLocalConfigFiles(),
    configPaths: mcpFiles({ context, setup, cwd }).map(({ path }) => path),
    ...(context.mcpServers === undefined ? {} : { servers: context.mcpServers }),
    variable: context.environment.get,
    ...(options.onMcpServers === undefined ? {} : { onServers: options.onMcpServers }),
  });
  return {
    extensions: [...(diagnostics.length === 0 ? [] : [reports]), ...extensions.map(watchedBy), mcp],
    requireNamed() {
      if (isStrict) watch.requireSetUp();
    },
    endWaiting: waits.end,
  };
}

function unusableExtension(message: string, cause?: unknown): CliError {
  return new CliError("usage", message, {
    advice: "Name another one with --extension, or none.",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Tells a person which extension is waited for. */
function waitsOf(person: CliContext["person"] | undefined) {
  let end = () => {};
  const begin = (what: string) => {
    end = person?.waiting?.(what) ?? end;
    return end;
  };
  const during = (extension: Extension): Extension => {
    const { setup } = extension;
    if (setup === undefined) return extension;
    return {
      ...extension,
      async setup(api) {
        const endOwn = begin(`the extension ${inertLine(extension.name, MAX_NAME_CHARACTERS)} to be set up`);
        try {
          await setup(api);
        } finally {
          endOwn();
        }
      },
    };
  };
  return { begin, during, end: () => end() };
}

/** Sees how the setup of extensions ends. */
class SetupWatch {
  /** By extension: undefined as long as its setup has not come to its end. */
  readonly #ends = new Map<string, { readonly error?: unknown } | undefined>();

  /** The same extension, watched. */
  watched(extension: Extension): Extension {
    const { name } = extension;
    return {
      ...extension,
      setup: async (api) => {
        this.#ends.set(name, undefined);
        try {
          await extension.setup?.(api);
          this.#ends.set(name, {});
        } catch (error) {
          this.#ends.set(name, { error });
          throw error;
        }
      },
    };
  }

  /** Throws `CliError` `usage` for the first one that failed or is not over; nobody waits for it any more. */
  requireSetUp(): void {
    for (const [name, end] of this.#ends) {
      if (end !== undefined && !("error" in end)) continue;
      const { error } = end ?? { error: new Error("it does not come to an end") };
      const why = error instanceof Error ? error.message : String(error);
      throw unusableExtension(`The extension ${name} could not be set up: ${why}`, error);
    }
  }
}

/** Where extensions are looked for. */
export function extensionSearch(options: UserExtensionsOptions): FindExtensionsOptions {
  const { context, setup, files } = options;
  const project = projectFolder(options);
  return {
    files,
    userExtensions: extensionsDirectory(context.places),
    projectExtensions: project === undefined ? undefined : join(project, "extensions"),
    named: setup.namedExtensions,
    homeDirectory: context.environment.homeDirectory,
  };
}

/** Where the user's own extensions and packages of extensions lie. */
export function extensionsDirectory(places: CliContext["places"]): string {
  return join(places.userDirectory, "extensions");
}

/** An `mcp.json` that counts. */
export interface McpFile {
  readonly path: string;
  readonly source: "project" | "user";
}

/** The files that MCP servers come from, the one above first. */
export function mcpFiles(options: Omit<UserExtensionsOptions, "files">): readonly McpFile[] {
  const project = projectFolder(options);
  const user: McpFile = { path: join(options.context.places.userDirectory, "mcp.json"), source: "user" };
  return project === undefined ? [user] : [{ path: join(project, "mcp.json"), source: "project" }, user];
}

/** Undefined while the project is not trusted, and at home: the user's folder is no project's. */
function projectFolder({ context, setup, cwd }: Omit<UserExtensionsOptions, "files">): string | undefined {
  const folder = join(cwd, FOLDER);
  return setup.isTrusted && folder !== context.places.userDirectory ? folder : undefined;
}
