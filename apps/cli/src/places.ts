import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { CliEnvironment } from "./env.ts";

/** The product's folder name, in the home directory and in projects. */
const FOLDER = ".coppice";

/** Absolute paths of everything Coppice keeps, resolved once and passed down. */
export interface Places {
  readonly userDirectory: string;
  readonly settingsFile: string;
  readonly authFile: string;
  readonly modelsFile: string;
  readonly keybindingsFile: string;
  readonly sessionsDirectory: string;
  readonly cacheDirectory: string;
  readonly projectDirectory: string;
}

export interface PlacesOptions {
  readonly environment: Pick<CliEnvironment, "coppiceHome" | "sessionDirectory" | "homeDirectory">;
  /** Absolute. */
  readonly cwd: string;
  /** `--session-dir`; it wins over the environment. */
  readonly sessionDirectory?: string | undefined;
}

/** Where everything lies. A leading `~` is the home directory; relative paths start at `cwd`. */
export function resolvePlaces({ environment, cwd, sessionDirectory }: PlacesOptions): Places {
  const home = environment.homeDirectory ?? homedir();
  const absolute = (path: string) =>
    resolve(
      cwd,
      path.replace(/^~(?=$|[/\\])/, () => home),
    );
  const userDirectory = absolute(environment.coppiceHome ?? join(home, FOLDER));
  return {
    userDirectory,
    settingsFile: join(userDirectory, "settings.json"),
    authFile: join(userDirectory, "auth.json"),
    modelsFile: join(userDirectory, "models.json"),
    keybindingsFile: join(userDirectory, "keybindings.json"),
    sessionsDirectory: absolute(
      sessionDirectory ?? environment.sessionDirectory ?? join(userDirectory, "sessions"),
    ),
    cacheDirectory: join(userDirectory, "cache"),
    projectDirectory: join(cwd, FOLDER),
  };
}
