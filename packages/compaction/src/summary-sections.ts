/** Blocks that code appends to a summary; they are taken off before a model updates it, and built anew. */
const CODE_BLOCKS = ["newest-request", "read-files", "modified-files"] as const;

const CODE_BLOCK = new RegExp(`\\n*<(${CODE_BLOCKS.join("|")})>\\n[\\s\\S]*?\\n</\\1>`, "g");

/** A summary without the blocks that code appended. */
export function withoutCodeBlocks(summary: string): string {
  return summary.replace(CODE_BLOCK, "").trim();
}

/** The inside of one such block; undefined where there is none. */
export function codeBlockOf(summary: string, tag: (typeof CODE_BLOCKS)[number]): string | undefined {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(summary)?.[1];
}

/** A block of that name; nothing inside can end it. */
export function codeBlock(tag: (typeof CODE_BLOCKS)[number], content: string): string {
  return `<${tag}>\n${content.replaceAll(`</${tag}>`, `<\\/${tag}>`)}\n</${tag}>`;
}
