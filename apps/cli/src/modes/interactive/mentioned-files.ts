import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ImageContent } from "@coppice/ai";
import { otherKind, readPromptFiles } from "../../prompt-files.ts";

/** `@path` and `@"path with blanks"`, at the start or after a blank. */
const MENTION = /(?<=^|[\s(])@(?:"([^"\n]+)"|([^\s"@]+))/g;

/** What a sentence may put behind a path. */
const PUNCTUATION = /[.,;:!?)\]]+$/;

/** What a text says, with the files that it mentions. */
export interface ReadInput {
  readonly text: string;
  readonly images: readonly ImageContent[];
  /** What was mentioned and does not go along, one line each. */
  readonly problems: readonly string[];
}

/** Paths that a text mentions, each once; whether there are such files is another question. */
export function mentionedPaths(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, quoted, plain]) => quoted ?? plain ?? ""))];
}

/** The text with the files behind it that it mentions; a mention that names no file is a word like any other. */
export async function readMentions(text: string, cwd: string): Promise<ReadInput> {
  const texts: string[] = [];
  const images: ImageContent[] = [];
  const problems: string[] = [];
  for (const mention of mentionedPaths(text)) {
    const found = await findMention(mention, cwd);
    if (found === undefined) {
      if (isPath(mention))
        problems.push(`There is no file ${mention.replace(PUNCTUATION, "")}: only the name was sent.`);
      continue;
    }
    if (found.other !== undefined) {
      problems.push(`${found.path} is ${found.other} and no file: only the name was sent.`);
      continue;
    }
    try {
      const files = await readPromptFiles([`@${found.path}`], cwd);
      texts.push(...files.texts);
      images.push(...files.images);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { text: [text, ...texts].join("\n\n"), images, problems };
}

interface Mentioned {
  readonly path: string;
  /** What it is instead of a file. */
  readonly other: string | undefined;
}

async function findMention(mention: string, cwd: string): Promise<Mentioned | undefined> {
  for (const path of [mention, mention.replace(PUNCTUATION, "")]) {
    const found = await stat(resolve(cwd, path)).catch(() => undefined);
    if (found !== undefined) return { path, other: found.isFile() ? undefined : otherKind(found) };
  }
  return undefined;
}

/** A word that can hardly be anything but the path of a file, as opposed to somebody's name or a package's. */
function isPath(mention: string): boolean {
  return /\s/.test(mention) || /[/\\][^/\\]*\.\w{1,8}$/.test(mention.replace(PUNCTUATION, ""));
}

const FILE_ELEMENT = /\n\n<file path=("(?:[^"\\\n]|\\.)*")>\n([\s\S]*?)\n<\/file>(?=\n\n<file path=|$)/g;

/** A text as somebody wrote it, without the files that were put behind it: they are read again when it is sent again. */
export function withoutFiles(text: string): string {
  return text.replace(FILE_ELEMENT, "");
}

/** A text for the screen: a line stands for each file. */
export function withFileNames(text: string): string {
  return text.replace(FILE_ELEMENT, (_, path: string, content: string) => {
    const count = content.split("\n").length;
    return `\n[${JSON.parse(path)}, ${count} ${count === 1 ? "line" : "lines"}]`;
  });
}
