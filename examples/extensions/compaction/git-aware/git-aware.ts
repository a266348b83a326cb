import type { AgentMessage } from "@coppice/agent";
import type { Extension } from "@coppice/coding-agent";
import { extractSummary, fileBlocks, pinnedSection } from "@coppice/compaction";
import { gitOperationsOf, isAboutGit } from "./git-messages.ts";

/** Other messages that stay verbatim: the newest ones. */
const KEPT_OTHERS = 5;
/** With no more others than this the extension leaves the compaction to the built-in one. */
const LEAST_OTHERS = 10;
/** Share of the room for the summary that the quotes of dropped messages may take. */
const QUOTES_SHARE = 0.5;

/**
 * Compacts without losing the thread of version control: messages about git stay verbatim wherever they are.
 *
 * It calls no model. The summary lists the git operations and quotes what was dropped.
 */
export const gitAware: Extension = {
  name: "git-aware",
  onCompaction({ messages, preparation }) {
    const shown = messages.filter(({ role }) => role !== "compactionSummary");
    const aboutGit = shown.filter((message) => isAboutGit(message, shown));
    const others = shown.filter((message) => !aboutGit.includes(message));
    if (others.length <= LEAST_OTHERS) return undefined;
    const dropped = others.slice(0, -KEPT_OTHERS);
    return {
      summary: summaryOf(dropped, aboutGit, preparation),
      keptMessages: [...aboutGit, ...others.slice(-KEPT_OTHERS)],
      details: { ...preparation.fileOps, preservedGitOps: aboutGit.length },
    };
  },
};

function summaryOf(
  dropped: readonly AgentMessage[],
  aboutGit: readonly AgentMessage[],
  preparation: Parameters<NonNullable<Extension["onCompaction"]>>[0]["preparation"],
): string {
  const { previousSummary, summaryBudgetTokens, fileOps, pins } = preparation;
  const operations = gitOperationsOf(aboutGit).map((operation) => `- \`${operation}\``);
  return [
    extractSummary({
      messages: dropped,
      previousSummary,
      maxTokens: Math.floor(summaryBudgetTokens * QUOTES_SHARE),
    }),
    operations.length === 0 ? "" : `## Git Operations\n${operations.join("\n")}`,
    fileBlocks(fileOps),
    pinnedSection(pins),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}
