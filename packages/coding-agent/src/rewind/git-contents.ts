import type { Shell } from "../env/environment.ts";
import type { ObjectReader } from "./change-recorder.ts";

export interface GitContentsOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly shell: Shell;
}

const READ_LIMIT_MS = 10_000;
/** Of all objects of one call. */
const MAX_CONTENT_BYTES = 96 * 1024 * 1024;
const LINE_FEED = 0x0a;
const HEADER = /^([0-9a-f]+) blob (\d+)$/;

/** What git keeps, by object ids, read by one command and without fetching anything from elsewhere. */
export class GitContents implements ObjectReader {
  readonly #options: GitContentsOptions;

  constructor(options: GitContentsOptions) {
    this.#options = options;
  }

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { cwd, shell } = this.#options;
    const asked = ids.filter((id) => /^[0-9a-f]+$/.test(id));
    if (asked.length === 0) return new Map();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const git = "GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0 git cat-file --batch 2>/dev/null";
    await shell.run(`printf '%s\\n' ${asked.join(" ")} | ${git}`, {
      cwd,
      signal: new AbortController().signal,
      timeoutMs: READ_LIMIT_MS,
      onOutput: (chunk) => {
        bytes += chunk.length;
        if (bytes <= MAX_CONTENT_BYTES) chunks.push(chunk.slice());
      },
    });
    return parseBatch(Buffer.concat(chunks));
  }
}

/** Source: git-cat-file(1), batch output (2026-11). What is cut off is left out. */
function parseBatch(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(LINE_FEED, at);
    if (end < 0) break;
    const [, id, size] = HEADER.exec(output.toString("latin1", at, end)) ?? [];
    at = end + 1;
    // A line that says that there is no such object.
    if (id === undefined) continue;
    const content = output.subarray(at, at + Number(size));
    if (content.length < Number(size)) break;
    contents.set(id, content);
    at += content.length + 1;
  }
  return contents;
}
