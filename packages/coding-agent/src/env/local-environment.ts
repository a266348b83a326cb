import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { lazyTree } from "../file-tree/lazy-tree.ts";
import type { Environment } from "./environment.ts";
import { createLocalFiles } from "./local-files.ts";
import { createLocalRipgrep } from "./local-ripgrep.ts";
import { createLocalScratch } from "./local-scratch.ts";
import { createLocalShell, type LocalShell } from "./local-shell.ts";
import { withoutKeyboard } from "./no-keyboard.ts";
import { withoutProviderKeys } from "./provider-keys.ts";

export interface LocalEnvironmentOptions {
  /** Default: `/bin/bash`, else `bash` or `sh` on the PATH of `environmentVariables`, else `/bin/sh`. */
  readonly shellPath?: string;
  /** What commands get, less the credentials of model providers, and with editors, pagers and prompts turned off. */
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  /** Names of variables that commands get as they are all the same. */
  readonly keepVariables?: readonly string[];
  /** Where long outputs are kept; default: the system's temporary folder. */
  readonly scratchDirectory?: string;
}

/** An environment whose running commands can be ended at once. */
export interface LocalEnvironment extends Environment {
  readonly shell: LocalShell;
}

/** This machine: its disk, a shell, and ripgrep. */
export function createLocalEnvironment(options: LocalEnvironmentOptions): LocalEnvironment {
  const keep = options.keepVariables ?? [];
  const environmentVariables = withoutProviderKeys(options.environmentVariables, { keep });
  return {
    files: createLocalFiles({ newSuffix: () => randomBytes(6).toString("hex") }),
    shell: createLocalShell({
      shellPath: options.shellPath ?? findShell(environmentVariables.PATH ?? ""),
      environmentVariables: withoutKeyboard(environmentVariables, { keep }),
    }),
    ...(environmentVariables.HOME === undefined ? {} : { homeDirectory: environmentVariables.HOME }),
    scratch: createLocalScratch({ directory: options.scratchDirectory ?? tmpdir() }),
    ripgrep: createLocalRipgrep({ environmentVariables }),
    openTree: (root) =>
      lazyTree(async () => {
        const { LocalTree } = await import("../file-tree/local-tree.ts");
        return new LocalTree({ root, homeDirectory: environmentVariables.HOME });
      }),
  };
}

function findShell(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const candidates = ["bash", "sh"].flatMap((name) => folders.map((folder) => join(folder, name)));
  return ["/bin/bash", ...candidates].find((candidate) => existsSync(candidate)) ?? "/bin/sh";
}
