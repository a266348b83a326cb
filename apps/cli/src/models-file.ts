import { readFile } from "node:fs/promises";
import type { ModelsFile } from "@coppice/coding-agent";
import { CliError } from "./cli-error.ts";
import { closestWord } from "./closest-word.ts";

/** The file and why it could not be read; a broken file declares nothing and stops nothing (fault kind CL-17). */
export interface LoadedModelsFile {
  readonly file: ModelsFile;
  readonly error: CliError | undefined;
}

const EMPTY: ModelsFile = { providers: {}, keys: new Map(), logins: new Map(), notices: [] };

/** Reads `models.json`; a missing file declares nothing. */
export async function readModelsFile(path: string): Promise<LoadedModelsFile> {
  try {
    const text = await readFile(path, "utf8");
    // Who has no such file does not pay for what reads it.
    const { parseModelsFile } = await import("@coppice/coding-agent");
    return { file: parseModelsFile(text, { path, guessName: closestWord }), error: undefined };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { file: EMPTY, error: undefined };
    const reason = error instanceof Error ? error.message : String(error);
    const message = code === "invalid_setting" ? reason : `${path} cannot be read: ${reason}`;
    return { file: EMPTY, error: new CliError("invalid_config", message, { cause: error }) };
  }
}
