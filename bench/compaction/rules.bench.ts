import { readFileSync } from "node:fs";
import {
  activePins,
  compact,
  detectPins,
  detectRules,
  estimateTextTokens,
  PIN_CUSTOM_TYPE,
  prepareCompaction,
  resolveCompactionSettings,
} from "@coppice/compaction";
import {
  goodSummary,
  type PathBuilder,
  pathBuilder,
  scriptedComplete,
  testModel,
} from "@coppice/compaction/testing";

/**
 * Rules through five compactions by a summariser that omits all: explicit pins, detected pins, false pins, room.
 *
 * Each session holds ten rules at four places: the first turn, the middle, a turn that a cut splits, before a fork.
 */
interface Sentence {
  readonly text: string;
  readonly language: string;
  readonly place?: string;
}
const load = (name: string): readonly Sentence[] =>
  readFileSync(`${import.meta.dirname}/rules/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Sentence);

const RULES_A_SESSION = 10;
const COMPACTIONS = 5;
const contextWindow = 32_768;
const settings = resolveCompactionSettings({ contextWindow });
const model = testModel({ contextWindow, maxTokens: 1024 });

/** What the user says; an explicit pin is what `/pin` does, a detected one what a host does with each message. */
function say(builder: PathBuilder, text: string, rules: readonly string[], isExplicit: boolean): void {
  const entryId = builder.user([text, ...rules].join(" "));
  const found = isExplicit
    ? rules.map((rule, index) => ({ id: `${entryId}-${index}`, text: rule, source: "user" }))
    : detectPins({
        entryId,
        text: [text, ...rules].join("\n"),
        known: activePins(builder.path),
        contextWindow,
      });
  for (const pin of found) builder.entry("custom", { customType: PIN_CUSTOM_TYPE, data: pin });
}

function work(builder: PathBuilder, label: string): void {
  for (let index = 0; index < 14; index++) {
    builder.toolCall(`${label}-${index}`, "read", { path: `src/${label}-${index}.ts` });
    builder.toolResult(`${label}-${index}`, `line of ${label}\n`.repeat(400));
  }
}

/** Compacts as a host does; true when the cut fell inside a turn. */
async function shrink(builder: PathBuilder): Promise<boolean> {
  const plan = prepareCompaction({ path: builder.path, contextWindow, settings, tokensBefore: 40_000 });
  if (plan === undefined) throw new Error("nothing to compact");
  const { complete } = scriptedComplete(goodSummary(`Work ${builder.path.length}.`));
  const result = await compact(plan, { complete, model });
  for (const { targetId, text } of result.shortenings) {
    builder.entry("context_edit", { targetId, replacement: { content: [{ type: "text", text }] } });
  }
  const { summary, firstKeptEntryId, tokensBefore, details, checkpoint } = result;
  builder.compaction(summary, firstKeptEntryId, { tokensBefore, details, checkpoint });
  return plan.isSplitTurn;
}

async function runSession(rules: readonly Sentence[], isExplicit: boolean) {
  const at = (place: string) => rules.filter((rule) => rule.place === place).map((rule) => rule.text);
  let builder = pathBuilder();
  let splits = 0;
  for (let round = 0; round < COMPACTIONS; round++) {
    if (round === 0) say(builder, "Look through the sources.", at("first turn"), isExplicit);
    if (round === 1) say(builder, "Go on.", at("mid-session"), isExplicit);
    if (round === 2) say(builder, "Now the next folder.", at("split turn"), isExplicit);
    if (round === 3) {
      say(builder, "And the last one.", at("fork"), isExplicit);
      builder.assistant("Done with it.");
      // A fork goes on with a copy of the path.
      builder = pathBuilder(builder.path.map((entry) => structuredClone(entry)));
      say(builder, "On the fork: all again.", [], isExplicit);
    }
    if (round === 4) say(builder, "Once more.", [], isExplicit);
    work(builder, `round${round}`);
    if (round !== 2) builder.assistant("That folder is read.");
    if (await shrink(builder)) splits++;
  }
  const summary = builder.path.findLast((entry) => entry.type === "compaction") as { summary?: string };
  const section = summary.summary?.split("## Pinned\n")[1] ?? "";
  const kept = rules.filter((rule) => section.includes(rule.text)).length;
  return { kept, splits, share: estimateTextTokens(section) / contextWindow };
}

const rules = load("rules");
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
for (const isExplicit of [true, false]) {
  let kept = 0;
  let splits = 0;
  let share = 0;
  for (let from = 0; from < rules.length; from += RULES_A_SESSION) {
    const session = await runSession(rules.slice(from, from + RULES_A_SESSION), isExplicit);
    kept += session.kept;
    splits += session.splits;
    share = Math.max(share, session.share);
  }
  console.log(
    `${isExplicit ? "explicit" : "detected"} pins after ${COMPACTIONS} compactions: ${percent(kept, rules.length)} of ${rules.length} rules, at most ${percent(share, 1)} of a window of ${contextWindow} (${splits} cuts inside a turn)`,
  );
}
for (const [name, prefix] of [
  ["the figure", ""],
  ["first held-out set", "held-out-"],
  ["second held-out set", "second-held-out-"],
] as const) {
  const found = load(`${prefix}rules`);
  const decoys = load(`${prefix}decoys`);
  const isPinned = ({ text }: Sentence) => detectRules(text).length > 0;
  console.log(
    `${name}: ${percent(found.filter(isPinned).length, found.length)} of ${found.length} rules found, ${percent(decoys.filter(isPinned).length, decoys.length)} of ${decoys.length} decoys pinned`,
  );
}
