import { createHash } from "node:crypto";

const HASH_CHARS = 8;

/**
 * The folder of a working directory: readable, and injective through the hash. Nothing trusts it: the header rules.
 *
 * `/home/user/project` → `--home-user-project--<8 hex of sha256>`.
 */
export function folderName(cwd: string): string {
  const readable = cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-");
  return `--${readable}--${createHash("sha256").update(cwd).digest("hex").slice(0, HASH_CHARS)}`;
}

/** `<timestamp>_<id>.jsonl`, with the characters replaced that file systems refuse. */
export function fileName(timestamp: string, id: string): string {
  return `${timestamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`;
}
