import type { AnyEntry } from "@coppice/session";
import fc from "fast-check";
import { type PathBuilder, pathBuilder, usageOf } from "../src/testing/paths.ts";

export interface ArbitraryPathOptions {
  readonly minTurns?: number;
  readonly maxTurns?: number;
  /** False: no compaction among the turns. */
  readonly compacted?: boolean;
}

type Step = (builder: PathBuilder) => void;

const texts = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 800 }).map((words) => "words ".repeat(words)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 800 }).map((count) => "字".repeat(count)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }).map((count) => "🌳".repeat(count)) },
);

const resultTexts = fc.oneof(
  { weight: 6, arbitrary: texts },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 60 }).map((count) => `line ${count}\n`.repeat(count * 200)),
  },
);

/**
 * A path as sessions have it: turns with tools, parallel calls, giant results, images, wide characters, failures, edits,
 * summaries of left branches, metadata, an earlier compaction.
 */
export function arbitraryPath(options: ArbitraryPathOptions = {}): fc.Arbitrary<readonly AnyEntry[]> {
  return arbitraryTurns(options).map((append) => {
    const builder = pathBuilder();
    append(builder);
    return builder.path;
  });
}

/** What appends some turns to any path. */
export function arbitraryTurns(options: ArbitraryPathOptions = {}): fc.Arbitrary<Step> {
  const { minTurns = 1, maxTurns = 10, compacted = true } = options;
  return fc
    .tuple(
      fc.array(turn(), { minLength: minTurns, maxLength: maxTurns }),
      compacted ? fc.option(fc.nat(), { nil: undefined }) : fc.constant(undefined),
    )
    .map(([turns, compactAfter]) => (builder) => {
      turns.forEach((steps, index) => {
        for (const step of steps) step(builder);
        if (compactAfter !== undefined && compactAfter % turns.length === index) compactAtTurnStart(builder);
      });
    });
}

function turn(): fc.Arbitrary<readonly Step[]> {
  const prompt = texts.map(
    (text): Step =>
      (builder) =>
        builder.user(text),
  );
  const body = fc.array(
    fc.oneof(
      calls(),
      hiddenAttempt(),
      replacedText(),
      branchSummary(),
      images(),
      metadata(),
      extensionText(),
    ),
    { maxLength: 6 },
  );
  return fc.tuple(prompt, body, answer()).map(([first, steps, last]) => [first, ...steps, last]);
}

function calls(): fc.Arbitrary<Step> {
  return fc
    .tuple(fc.array(resultTexts, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([results, isError]) => (builder) => {
      const ids = results.map((_, index) => `call-${builder.path.length}-${index}`);
      builder.assistant(
        ids.map((id, index) => ({
          type: "toolCall",
          id,
          name: "read",
          arguments: { path: `src/${index}.ts` },
        })),
        { stopReason: "toolUse" },
      );
      ids.forEach((id, index) => {
        builder.toolResult(id, results[index] ?? "", { isError });
      });
    });
}

/** A failed answer that recovery hid. */
function hiddenAttempt(): fc.Arbitrary<Step> {
  return texts.map((text) => (builder) => {
    const targetId = builder.assistant(text, { stopReason: "error", errorMessage: "overloaded" });
    builder.entry("context_edit", { targetId, replacement: null });
  });
}

/** A result that an edit shows otherwise. */
function replacedText(): fc.Arbitrary<Step> {
  return fc.tuple(resultTexts, texts).map(([whole, shown]) => (builder) => {
    const id = `replaced-${builder.path.length}`;
    builder.toolCall(id, "read", { path: "src/replaced.ts" });
    const targetId = builder.toolResult(id, whole);
    builder.entry("context_edit", { targetId, replacement: { content: shown } });
  });
}

function branchSummary(): fc.Arbitrary<Step> {
  return texts.map((summary) => (builder) => {
    builder.entry("branch_summary", { fromId: "elsewhere", summary });
  });
}

/** A picture that the model asked for, and one from the user. */
function images(): fc.Arbitrary<Step> {
  return fc.constant((builder) => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const id = `picture-${builder.path.length}`;
    builder.toolCall(id, "read", { path: "a.png" });
    builder.toolResult(id, "", { content: [image] });
    const timestamp = Date.UTC(2026, 0, 1) + builder.path.length * 1000;
    const content = [{ type: "text", text: "And this one?" }, image] as const;
    builder.entry("message", { message: { role: "user", content, timestamp } });
  });
}

function metadata(): fc.Arbitrary<Step> {
  return fc.constant((builder) => {
    builder.entry("thinking_level_change", { thinkingLevel: "low" });
  });
}

function extensionText(): fc.Arbitrary<Step> {
  return texts.map((content) => (builder) => {
    builder.entry("custom_message", { customType: "note", content, display: true });
  });
}

function answer(): fc.Arbitrary<Step> {
  return fc
    .tuple(texts, fc.constantFrom("stop", "error", "aborted", "length"), fc.nat(4000))
    .map(([text, stopReason, input]) => (builder) => {
      builder.assistant(text, { stopReason: stopReason as "stop", usage: usageOf({ input }) });
    });
}

/** A compaction that keeps the newest turn, as an earlier one of the session would. */
function compactAtTurnStart(builder: PathBuilder): void {
  const start = builder.path.findLast(
    (entry) => entry.type === "message" && (entry as { message: { role: string } }).message.role === "user",
  );
  if (start !== undefined)
    builder.compaction("## Goal\nEarlier.\n\n## Progress\nSome.\n\n## Next Steps\nMore.", start.id);
}
