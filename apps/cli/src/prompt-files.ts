import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ImageContent } from "@coppice/ai";
import { detectImageType, fitImage, MAX_IMAGE_FILE_BYTES } from "@coppice/coding-agent";
import { CliError } from "./cli-error.ts";

/** A text file longer than this is cut: the agent can read the rest where it needs it. */
const MAX_TEXT_BYTES = 256 * 1024;

/** How many bytes tell what a file is. */
const HEAD_BYTES = 8_000;

/** Words of a command line with the files that they name taken out of them. */
export interface PromptFiles {
  /** The words that are text. */
  readonly words: readonly string[];
  /** The named text files, each in an element that says its path; in the order of naming. */
  readonly texts: readonly string[];
  readonly images: readonly ImageContent[];
}

/**
 * Reads the files that words like `@src/main.ts` name; paths start at `cwd`. A word with blanks that names no file is
 * text. Throws `CliError` `usage` for what cannot be read or is neither text nor an image.
 */
export async function readPromptFiles(words: readonly string[], cwd: string): Promise<PromptFiles> {
  const rest: string[] = [];
  const texts: string[] = [];
  const images: ImageContent[] = [];
  for (const word of words) {
    const file = word.startsWith("@") && word.length > 1 ? await readNamed(word.slice(1), cwd) : undefined;
    if (file === undefined) rest.push(word);
    else if (typeof file === "string") texts.push(file);
    else images.push(file);
  }
  return { words: rest, texts, images };
}

async function readNamed(path: string, cwd: string): Promise<string | ImageContent | undefined> {
  try {
    const { bytes, sizeBytes } = await readStart(resolve(cwd, path));
    if (detectImageType(bytes) === undefined) return textElement(path, bytes, sizeBytes);
    if (sizeBytes > MAX_IMAGE_FILE_BYTES)
      throw unusable(path, `is an image of more than ${MAX_IMAGE_FILE_BYTES} bytes`);
    // What is too large for models is made smaller.
    const image = await fitImage(bytes, { signal: new AbortController().signal });
    if ("problem" in image) throw unusable(path, `looks like an image but cannot be used: ${image.problem}`);
    return { type: "image", data: image.data, mimeType: image.mimeType };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof NoFile) throw unusable(path, `is ${error.kind}`);
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && /\s/.test(path)) return undefined;
    throw unusable(path, isMissing ? "is not there" : `cannot be read: ${String(error)}`);
  }
}

/** What something is that is no file, with its article. */
export function otherKind(info: Pick<Stats, "isDirectory" | "isFIFO" | "isSocket">): string {
  if (info.isDirectory()) return "a folder";
  if (info.isFIFO()) return "a pipe";
  return info.isSocket() ? "a socket" : "a device";
}

class NoFile extends Error {
  readonly kind: string;

  constructor(kind: string) {
    super(`It is ${kind}`);
    this.kind = kind;
  }
}

/** As much of a file as could be used. Rejects with `NoFile` for anything else. */
async function readStart(path: string): Promise<{ readonly bytes: Buffer; readonly sizeBytes: number }> {
  // Opening a pipe would wait for whoever writes into it.
  const info = await stat(path);
  if (!info.isFile()) throw new NoFile(otherKind(info));
  const file = await open(path, "r");
  try {
    const stat = await file.stat();
    const read = async (length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    };
    const start = await read(Math.min(stat.size, MAX_TEXT_BYTES));
    const isLongImage = start.length < stat.size && detectImageType(start) !== undefined;
    const bytes = isLongImage ? await read(Math.min(stat.size, MAX_IMAGE_FILE_BYTES)) : start;
    return { bytes, sizeBytes: stat.size };
  } finally {
    await file.close();
  }
}

function textElement(path: string, bytes: Buffer, sizeBytes: number): string {
  if (bytes.subarray(0, HEAD_BYTES).includes(0)) throw unusable(path, "is neither text nor an image");
  const isCut = sizeBytes > MAX_TEXT_BYTES;
  // A character that the cut went through is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: isCut });
  const note = isCut
    ? `\n[The first ${MAX_TEXT_BYTES} of ${sizeBytes} bytes; read the file for the rest.]`
    : "";
  return `<file path=${JSON.stringify(path)}>\n${text.replace(/\n$/, "")}${note}\n</file>`;
}

function unusable(path: string, why: string): CliError {
  return new CliError("usage", `The file ${path} of @${path} ${why}`, {
    advice: "A text that begins with @ goes through the pipe: echo '@…' | coppice -p.",
  });
}
