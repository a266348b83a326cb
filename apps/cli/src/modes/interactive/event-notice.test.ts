import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import type { CompactionResult } from "@coppice/compaction";
import { expect, test } from "vitest";
import { eventNotice, workingLabel } from "./event-notice.ts";

const result = { tokensBefore: 120_000, tokensAfter: 20_000 } as CompactionResult;

const ended = (change: Partial<Extract<HarnessEvent, { type: "compaction_end" }>>): HarnessEvent => ({
  type: "compaction_end",
  ...{ reason: "threshold", result: undefined, aborted: false },
  ...change,
});

const rows: readonly {
  name: string;
  event: AgentEvent | HarnessEvent;
  text: string | undefined;
  label: string | null | undefined;
}[] = [
  {
    name: "a compaction begins",
    event: { type: "compaction_start", reason: "threshold" },
    text: undefined,
    label: "Compacting",
  },
  {
    name: "a compaction is done",
    event: ended({ result }),
    text: "Compacted: 120k → 20k tokens. The full history stays in the session.",
    label: "Working",
  },
  {
    name: "a compaction fails",
    event: ended({ errorMessage: "no room" }),
    text: "Compaction failed: no room",
    label: "Working",
  },
  {
    name: "one asked for fails",
    event: ended({ reason: "manual", errorMessage: "no room" }),
    text: undefined,
    label: null,
  },
  {
    name: "a compaction is stopped",
    event: ended({ aborted: true }),
    text: "Compaction stopped; the session is unchanged.",
    label: "Working",
  },
  {
    name: "a retry waits",
    event: { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 2_000, errorMessage: "busy" },
    text: "Retry 1 of 3 in 2.0 s: busy",
    label: "Waiting to retry (1 of 3)",
  },
  {
    name: "a run is stopped",
    event: { type: "agent_settled", aborted: true },
    text: "Interrupted.",
    label: null,
  },
  { name: "a run is over", event: { type: "agent_settled", aborted: false }, text: undefined, label: null },
  {
    name: "something beside the run",
    event: { type: "diagnostic", level: "error", message: "disk full" },
    text: "disk full",
    label: undefined,
  },
];

test.each(rows)("$name", ({ event, text, label }) => {
  expect(eventNotice(event)?.text).toBe(text);
  expect(workingLabel(event)).toBe(label);
});
