import { SeededRandom } from "./seeded-random.ts";

/** How many of the facts in front of it a summary keeps: less than good models do, so that the rest must hold by itself. */
const KEPT_SHARE = 0.5;

/**
 * A summary as a hasty model writes one: the right headings, and about half of the facts.
 *
 * What an earlier summary kept stands the same chance again.
 */
export function summaryOf(options: {
  readonly text: string;
  readonly facts: readonly string[];
  readonly seed: number;
}): string {
  const random = new SeededRandom(options.seed);
  const kept = options.facts.filter((fact) => random.next() < KEPT_SHARE && options.text.includes(fact));
  return `## Goal
Work on several services.

## Constraints & Preferences
(none)

## Progress
### Done
- [x] Looked at settings, reports and logs.
### In Progress
- [ ] Reading the logs.
### Blocked
- (none)

## Key Decisions
(none)

## Next Steps
1. Go on with the logs.

## Critical Context
${kept.length === 0 ? "(none)" : kept.map((fact) => `- ${fact}`).join("\n")}
`;
}
