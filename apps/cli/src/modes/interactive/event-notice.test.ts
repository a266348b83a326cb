import type { AgentEvent } from "@coppice/agent";
import { ZERO_USAGE } from "@coppice/ai";
import type { HarnessEvent } from "@coppice/coding-agent";
import type { CompactionResult } from "@coppice/compaction";
import { expect, test } from "vitest";
import { eventNotice, workingLabel } from "./event-notice.ts";

const result = { tokensBefore: 120_000, tokensAfter: 20_000 } as CompactionResult;

const paid = { ...ZERO_USAGE, cost: { ...ZERO_USAGE.cost, total: 0.012 } };

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
    name: "a summary is ready ahead of its time",
    event: { type: "background_compaction", state: "ready", usage: paid },
    text: "A summary is ready for when the context is full. It cost $0.0120.",
    label: undefined,
  },
  {
    name: "a prepared summary is dropped",
    event: { type: "background_compaction", state: "dropped", reason: "the branch was left.", usage: paid },
    text: "The prepared summary no longer fits: the branch was left. It cost $0.0120.",
    label: undefined,
  },
  {
    name: "a summary cannot be prepared",
    event: { type: "background_compaction", state: "failed" },
    text: "No summary could be prepared.",
    label: undefined,
  },
  {
    name: "a prepared summary is used",
    event: { type: "background_compaction", state: "used" },
    text: undefined,
    label: undefined,
  },
  {
    name: "old results are masked",
    event: { type: "context_masked", entries: 3, tokensBefore: 90_000, tokensAfter: 70_000 },
    text: "3 old results are sent shorter: 90k → 70k tokens. All of it stays in the session.",
    label: undefined,
  },
  {
    name: "rules pin themselves",
    event: { type: "pins_detected", pins: [{ id: "1", text: "never push", source: "detected" }] },
    text: "Pinned, as every summary will keep it; /unpin takes it back:\n  never push",
    label: undefined,
  },
  {
    name: "files are put back",
    event: {
      type: "files_restored",
      restored: ["/p/a"],
      removed: ["/p/b", "/p/theirs"],
      setAside: { paths: ["/p/theirs"], directory: "/s/set-aside/1" },
      kept: [{ path: "/p/\u001b[2Jc", reason: "changed by somebody else" }],
    },
    text: "Files:\n  put back: /p/a\n  taken away: /p/b\n  moved away: /p/theirs\n  they may be yours, and lie in: /s/set-aside/1\n  left alone (changed by somebody else): /p/c",
    label: undefined,
  },
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
