import { posix } from "node:path";
import type { Environment, Scratch, Shell } from "../env/environment.ts";
import { MemoryFiles } from "./memory-files.ts";

export interface MemoryEnvironmentOptions {
  /** Absolute path → content; folders are made. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Answers commands; default: every command ends with code 127. */
  readonly shell?: Shell;
  /** Unix milliseconds; default: a clock that advances by one with every write. */
  readonly now?: () => number;
}

/** An environment without a machine: files in memory, commands answered by a function, no ripgrep. */
export interface MemoryEnvironment extends Environment {
  readonly files: MemoryFiles;
}

/** For tests of tools and of agents that must not touch the disk. */
export function createMemoryEnvironment(options: MemoryEnvironmentOptions = {}): MemoryEnvironment {
  let tick = 0;
  const now = options.now ?? (() => ++tick);
  const files = new MemoryFiles({ now });
  for (const [path, content] of Object.entries(options.files ?? {})) {
    files.put(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return { files, shell: options.shell ?? NO_SHELL, scratch: memoryScratch(files) };
}

const NO_SHELL: Shell = {
  run: async (command, { onOutput }) => {
    await onOutput(new TextEncoder().encode(`no shell here: ${command}\n`));
    return { exitCode: 127, signal: undefined, reason: "exited" };
  },
};

function memoryScratch(files: MemoryFiles): Scratch {
  let count = 0;
  return {
    create: async (name) => {
      count++;
      const path = posix.join("/tmp/scratch", `${count}-${name}`);
      files.put(path, new Uint8Array());
      return {
        path,
        append: async (chunk) => files.put(path, Buffer.concat([await files.readFile(path), chunk])),
        close: async () => undefined,
      };
    },
  };
}
