import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { CliEnvironment } from "./env.ts";

/** The product's folder name, in the home directory and in projects. */
export const FOLDER = ".coppice";

/** Absolute paths of everything Coppice keeps, resolved once and passed down. */
export interface Places {
  readonly userDirectory: string;
  readonly settingsFile: string;
  readonly authFile: string;
  readonly trustFile: string;
  readonly modelsFile: string;
  readonly keybindingsFile: string;
  readonly sessionsDirectory: string;
  readonly cacheDirectory: string;
  /** Versions of files that the agent changed, a folder a project. */
  readonly snapshotsDirectory: string;
}

export interface PlacesOptions {
  readonly environment: Pick<CliEnvironment, "coppiceHome" | "sessionDirectory" | "homeDirectory">;
  /** Absolute. */
  readonly cwd: string;
  /** `--session-dir`; it wins over the environment. */
  readonly sessionDirectory?: string | undefined;
  /** What the user's settings say about it; the environment wins. Relative paths start at the user's folder. */
  readonly sessionDirectorySetting?: string | undefined;
}

/** Where everything lies. A leading `~` is the home directory; relative paths start at `cwd`. */
export function resolvePlaces(options: PlacesOptions): Places {
  const { environment, cwd, sessionDirectory, sessionDirectorySetting } = options;
  const home = environment.homeDirectory ?? homedir();
  const absolute = (path: string, base = cwd) => resolve(base, withHome(path, home));
  const given = sessionDirectory ?? environment.sessionDirectory;
  const userDirectory = absolute(environment.coppiceHome ?? join(home, FOLDER));
  return {
    userDirectory,
    settingsFile: join(userDirectory, "settings.json"),
    authFile: join(userDirectory, "auth.json"),
    trustFile: join(userDirectory, "trust.json"),
    modelsFile: join(userDirectory, "models.json"),
    keybindingsFile: join(userDirectory, "keybindings.json"),
    sessionsDirectory:
      given === undefined ? absolute(sessionDirectorySetting ?? "sessions", userDirectory) : absolute(given),
    cacheDirectory: join(userDirectory, "cache"),
    snapshotsDirectory: join(userDirectory, "snapshots"),
  };
}

/** A path whose leading `~` is the home directory. */
function withHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[/\\])/, () => home);
}
