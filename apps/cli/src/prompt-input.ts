import type { ImageContent } from "@coppice/ai";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { readPromptFiles } from "./prompt-files.ts";

/** More than any context window holds; a pipe that brings more is a mistake. */
const MAX_PIPED_BYTES = 16 * 1024 * 1024;

/** After this time without an end of the input, a person is told what the program waits for. */
const WAITING_NOTICE_MS = 3_000;

/** Standard input, as far as a prompt is read from it. */
export interface PromptSource extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  destroy(): unknown;
}

/** What a run is asked. */
export interface PromptInput {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/**
 * The prompt of a run without a terminal: the words of the command line, the files that they name, and what is piped in
 * (fault B212).
 *
 * Piped input is read to its end, however long its producer takes. Throws `CliError` `usage` when there is no prompt.
 */
export async function readPrompt(context: CliContext, source: PromptSource): Promise<PromptInput> {
  // A file that is not there is told before anybody waits for the pipe.
  const { words, texts, images } = await readPromptFiles(context.args.words, context.cwd);
  const piped = source.isTTY === true ? "" : await readPiped(context, source);
  const prompt = joinPrompt([...texts, words.join(" ")].join("\n\n").trim(), piped);
  if (prompt === undefined && images.length === 0) {
    throw new CliError("usage", "There is no prompt", {
      advice: 'Write one: coppice -p "explain this project"; or pipe one in.',
    });
  }
  return { text: prompt ?? "", images };
}

/** Joins the prompt's words with piped input; undefined when both are blank. */
export function joinPrompt(words: string, piped: string): string | undefined {
  if (piped.trim() === "") return words.trim() === "" ? undefined : words;
  if (words.trim() === "") return piped;
  return `${words}\n\n<stdin>\n${piped.replace(/\n$/, "")}\n</stdin>`;
}

/** The whole of a pipe as text, with a notice to a person who may not know that it is waited for. */
export async function readPiped({ stop, stderr }: CliContext, source: PromptSource): Promise<string> {
  const notice = setTimeout(() => {
    void stderr.write("coppice: waiting for the end of standard input (use </dev/null for none)\n");
  }, WAITING_NOTICE_MS);
  const leave = () => source.destroy();
  stop.signal.addEventListener("abort", leave, { once: true });
  try {
    return await readText(source);
  } finally {
    clearTimeout(notice);
    stop.signal.removeEventListener("abort", leave);
  }
}

async function readText(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PIPED_BYTES) {
      throw new CliError("usage", `More than ${MAX_PIPED_BYTES} bytes were piped in`, {
        advice: "Write them to a file and name it in the prompt.",
      });
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
