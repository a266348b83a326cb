/** A summary of the shape that compactions and branch summaries accept. */
export function goodSummary(goal: string): string {
  return [
    `## Goal\n${goal}`,
    "## Constraints & Preferences\n- (none)",
    "## Progress\n### Done\n- [x] What was asked\n### In Progress\n- (none)\n### Blocked\n- (none)",
    "## Key Decisions\n- (none)",
    "## Next Steps\n1. Go on.",
    "## Critical Context\n- (none)",
  ].join("\n\n");
}
