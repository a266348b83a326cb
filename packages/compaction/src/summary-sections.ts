import { withoutPinnedSection } from "./pins.ts";

/** Blocks that code appends to a summary; they are taken off before a model updates it, and built anew. */
const CODE_BLOCKS = [
  "changed-decisions",
  "newest-request",
  "last-failure",
  "recent-files",
  "recall-handles",
  "read-files",
  "modified-files",
] as const;

export type CodeBlock = (typeof CODE_BLOCKS)[number];

const CODE_BLOCK = new RegExp(`\\n*<(${CODE_BLOCKS.join("|")})>\\n[\\s\\S]*?\\n</\\1>`, "g");

/** What the model wrote of a summary: without the blocks and the pinned section that code appended. */
export function withoutCodeBlocks(summary: string): string {
  return withoutPinnedSection(summary).replace(CODE_BLOCK, "").trim();
}

/** The inside of one such block; undefined where there is none. */
export function codeBlockOf(summary: string, tag: CodeBlock): string | undefined {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(summary)?.[1];
}

/** A block of that name; nothing inside can end it. */
export function codeBlock(tag: CodeBlock, content: string): string {
  return `<${tag}>\n${content.replaceAll(`</${tag}>`, `<\\/${tag}>`)}\n</${tag}>`;
}

/** Parts of a summary, blank ones left out. */
export function joinSections(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
