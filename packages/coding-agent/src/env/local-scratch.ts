import { mkdtemp, open } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch, ScratchFile } from "./environment.ts";

/** Files in one private folder (0700) under `directory`, made at first use. */
export function createLocalScratch(options: { readonly directory: string }): Scratch {
  let folder: Promise<string> | undefined;
  let count = 0;
  return {
    create: async (name) => {
      folder ??= mkdtemp(join(options.directory, "coppice-"));
      count++;
      return openScratchFile(join(await folder, `${count}-${name}`));
    },
  };
}

async function openScratchFile(path: string): Promise<ScratchFile> {
  const handle = await open(path, "wx", 0o600);
  return {
    path,
    append: async (chunk) => {
      await handle.appendFile(chunk);
    },
    close: () => handle.close(),
  };
}
