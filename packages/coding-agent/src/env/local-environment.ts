import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "./environment.ts";
import { createLocalFiles } from "./local-files.ts";
import { createLocalRipgrep } from "./local-ripgrep.ts";
import { createLocalScratch } from "./local-scratch.ts";
import { createLocalShell } from "./local-shell.ts";
import { withoutProviderKeys } from "./provider-keys.ts";

export interface LocalEnvironmentOptions {
  /** Default: `/bin/bash`, else `bash` or `sh` on the PATH of `environmentVariables`, else `/bin/sh`. */
  readonly shellPath?: string;
  /** What commands get, less the credentials of model providers. */
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  /** Names of credentials that commands get all the same. */
  readonly keepVariables?: readonly string[];
  /** Where long outputs are kept; default: the system's temporary folder. */
  readonly scratchDirectory?: string;
}

/** This machine: its disk, a shell, and ripgrep. */
export function createLocalEnvironment(options: LocalEnvironmentOptions): Environment {
  const environmentVariables = withoutProviderKeys(options.environmentVariables, {
    keep: options.keepVariables ?? [],
  });
  return {
    files: createLocalFiles({ newSuffix: () => randomBytes(6).toString("hex") }),
    shell: createLocalShell({
      shellPath: options.shellPath ?? findShell(environmentVariables.PATH ?? ""),
      environmentVariables,
    }),
    ...(environmentVariables.HOME === undefined ? {} : { homeDirectory: environmentVariables.HOME }),
    scratch: createLocalScratch({ directory: options.scratchDirectory ?? tmpdir() }),
    ripgrep: createLocalRipgrep({ environmentVariables }),
  };
}

function findShell(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const candidates = ["bash", "sh"].flatMap((name) => folders.map((folder) => join(folder, name)));
  return ["/bin/bash", ...candidates].find((candidate) => existsSync(candidate)) ?? "/bin/sh";
}
