import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { ImageContent } from "@coppice/ai";
import { CliError } from "./cli-error.ts";

/** A text file longer than this is cut: the agent can read the rest where it needs it. */
const MAX_TEXT_BYTES = 256 * 1024;

/** The most that vendors take of one image (Anthropic vision guide, 2026-11). */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

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
    const mimeType = imageTypeOf(bytes);
    if (mimeType === undefined) return textElement(path, bytes, sizeBytes);
    if (sizeBytes > MAX_IMAGE_BYTES)
      throw unusable(path, `is an image of more than ${MAX_IMAGE_BYTES} bytes`);
    return { type: "image", data: bytes.toString("base64"), mimeType };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && /\s/.test(path)) return undefined;
    throw unusable(path, isMissing ? "is not there" : `cannot be read: ${String(error)}`);
  }
}

/** As much of a file as could be used. */
async function readStart(path: string): Promise<{ readonly bytes: Buffer; readonly sizeBytes: number }> {
  const file = await open(path, "r");
  try {
    const stat = await file.stat();
    const length = Math.min(stat.size, MAX_IMAGE_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return { bytes: buffer.subarray(0, bytesRead), sizeBytes: stat.size };
  } finally {
    await file.close();
  }
}

/** By the first bytes: names of files say anything. */
function imageTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(head) ? "image/webp" : undefined;
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
