import type { AgentMessage } from "@coppice/agent";
import { createModelRegistry, type Message, type Prices, usageWithCost } from "@coppice/ai";
import {
  type CompactionStrategy,
  DEFAULT_STRATEGIES,
  estimateContextTokens,
  estimateTokens,
  extractStrategy,
  planEarlyMasking,
  resolveCompactionSettings,
  shouldCompact,
  shrinkContext,
  summarizeStrategy,
} from "@coppice/compaction";
import {
  assistantMessage,
  goodSummary,
  type PathBuilder,
  pathBuilder,
  testModel,
} from "@coppice/compaction/testing";
import { buildContext } from "@coppice/session";

/**
 * What a long session costs under three policies, over generated trajectories of real tool use, on a window of 200,000
 * tokens: everything is sent for ever; summaries alone; the default (old results shortened where prices say that it pays,
 * summaries at the trigger). Prices of cache reads and writes are those of the catalogue; the cache is an ideal one of
 * prefixes. Budgets: the default costs at least 40 % less than sending everything, and less than summaries alone; at
 * least 60 % fewer summaries; at most one break of the cache for 30,000 tokens freed.
 */
const TRAJECTORIES = 50;
const WINDOW_TOKENS = 200_000;
const SYSTEM_TOKENS = 3000;
const ANSWER_TOKENS = 150;
const SUMMARY_TOKENS = 1500;
const MODEL = "anthropic/claude-opus-5";

/** Deterministic: the same seed gives the same trajectory. */
function randomOf(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}
type Move = { readonly user: string } | Step;

const code = (seed: string, tokens: number) =>
  `${`const ${seed} = compute(${seed});\n`.repeat(Math.ceil((tokens * 4) / (20 + 2 * seed.length)))}`;

/** Tasks of reading, searching, changing, testing and reading again, as an agent for code does them. */
function trajectory(seed: number): readonly Move[] {
  const random = randomOf(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const moves: Move[] = [];
  const tasks = between(10, 18);
  for (let task = 0; task < tasks; task++) {
    moves.push({
      user: `Task ${task}: change how unit ${between(1, 99)} handles its input, and keep the tests green.`,
    });
    const files = Array.from({ length: between(2, 5) }, () => `src/unit-${between(1, 40)}.ts`);
    moves.push({
      tool: "grep",
      args: { pattern: `unit${task}` },
      result: code(`g${task}_${seed}`, between(300, 2500)),
    });
    for (const path of files) {
      moves.push({
        tool: "read",
        args: { path },
        result: code(`r${moves.length}_${seed}`, between(800, 6000)),
      });
    }
    for (let round = between(1, 4); round > 0; round--) {
      const path = files[between(0, files.length - 1)] ?? "src/a.ts";
      moves.push({
        tool: "edit",
        args: { path, edits: [{ oldText: "a", newText: "b" }] },
        result: code(`e${moves.length}`, between(60, 250)),
      });
      moves.push({
        tool: "bash",
        args: { command: "npm test" },
        result: code(`t${moves.length}_${seed}`, between(400, 4500)),
      });
      if (random() < 0.5)
        moves.push({
          tool: "read",
          args: { path },
          result: code(`r${moves.length}_${seed}`, between(800, 6000)),
        });
    }
  }
  return moves;
}

class Meter {
  readonly #prices: Prices;
  #cached: readonly Message[] = [];
  usd = 0;
  requests = 0;

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  take(messages: readonly Message[], outputTokens: number): void {
    const sizes = messages.map((message) => estimateTokens(message));
    let common = 0;
    while (common < messages.length && this.#cached[common] === messages[common]) common++;
    const sum = (list: readonly number[]) => list.reduce((total, size) => total + size, 0);
    const cacheRead = this.requests === 0 ? 0 : SYSTEM_TOKENS + sum(sizes.slice(0, common));
    const cacheWrite = sum(sizes.slice(common)) + (this.requests === 0 ? SYSTEM_TOKENS : 0);
    this.usd += usageWithCost(
      { input: 0, output: outputTokens, cacheRead, cacheWrite },
      { cost: this.#prices },
    ).cost.total;
    this.requests++;
    this.#cached = messages;
  }
}

interface Policy {
  readonly name: string;
  readonly compacts: boolean;
  readonly masksEarly: boolean;
  readonly strategies: readonly CompactionStrategy[];
}

const POLICIES: readonly Policy[] = [
  { name: "everything", compacts: false, masksEarly: false, strategies: [] },
  {
    name: "summaries alone",
    compacts: true,
    masksEarly: false,
    strategies: [summarizeStrategy, extractStrategy],
  },
  { name: "default", compacts: true, masksEarly: true, strategies: DEFAULT_STRATEGIES },
];

interface Outcome {
  readonly usd: number;
  readonly summaries: number;
  readonly breaks: number;
  readonly freedTokens: number;
  readonly requests: number;
}

const settings = resolveCompactionSettings({ contextWindow: WINDOW_TOKENS });
const [{ cost } = { cost: undefined }] = (await createModelRegistry().list("anthropic")).filter(
  ({ provider, id }) => `${provider}/${id}` === MODEL,
);
if (cost === undefined) throw new Error(`${MODEL} is not in the catalogue`);
const prices: Prices = cost;
const model = testModel({ contextWindow: WINDOW_TOKENS, maxTokens: 8000, cost: prices });

/** The same message for the same entry, so that the cache can compare by identity. */
const wire = new WeakMap<AgentMessage, Message>();
function toMessage(message: AgentMessage): Message {
  const known = wire.get(message);
  if (known !== undefined) return known;
  const made = (
    message.role === "compactionSummary" ? { role: "user", content: message.summary, timestamp: 0 } : message
  ) as Message;
  wire.set(message, made);
  return made;
}

function edit(
  builder: PathBuilder,
  shortenings: readonly { readonly targetId: string; readonly text: string }[],
) {
  for (const { targetId, text } of shortenings) {
    builder.entry("context_edit", { targetId, replacement: { content: [{ type: "text", text }] } });
  }
}

async function run(policy: Policy, moves: readonly Move[]): Promise<Outcome> {
  const builder = pathBuilder();
  const meter = new Meter(prices);
  const known = new Map<string, Message>();
  // An edited entry gives another object with every projection; equal content is the same to a cache.
  const messagesOf = (): readonly Message[] =>
    buildContext(builder.path).messages.map((message) => {
      const made = toMessage(message);
      const key = JSON.stringify(made);
      const same = known.get(key) ?? made;
      known.set(key, same);
      return same;
    });
  let [summaries, breaks, freedTokens] = [0, 0, 0];
  const size = () =>
    estimateContextTokens({
      messages: buildContext(builder.path).messages,
      systemPrompt: "s".repeat(SYSTEM_TOKENS * 4),
    }).tokens;

  const shrink = async () => {
    const before = size();
    if (
      policy.masksEarly &&
      !shouldCompact({ contextTokens: before, contextWindow: WINDOW_TOKENS, settings })
    ) {
      const { entries } = buildContext(builder.path);
      const shortenings = planEarlyMasking({ entries, keepRecentTokens: settings.keepRecentTokens, prices });
      if (shortenings.length > 0) {
        edit(builder, shortenings);
        breaks++;
        freedTokens += before - size();
      }
      return;
    }
    if (!shouldCompact({ contextTokens: before, contextWindow: WINDOW_TOKENS, settings })) return;
    const { messages, entries } = buildContext(builder.path);
    const { outcome } = await shrinkContext({
      ...{ path: builder.path, entries, contextWindow: WINDOW_TOKENS, settings, tokensBefore: before },
      strategies: policy.strategies,
      call: {
        model,
        sessionRequest: { model, systemPrompt: "s", messages: messages.map(toMessage) },
        complete: async () => {
          summaries++;
          // On the prefix: what was sent last is in the cache.
          meter.take(messagesOf(), SUMMARY_TOKENS);
          return assistantMessage(
            goodSummary("Found so far: nothing in the files that were read. ".repeat(60)),
          );
        },
      },
    });
    if (outcome === undefined) throw new Error("nothing could be done");
    edit(builder, outcome.type === "mask" ? outcome.shortenings : outcome.result.shortenings);
    if (outcome.type === "compaction") {
      const { summary, firstKeptEntryId, details, checkpoint } = outcome.result;
      builder.compaction(summary, firstKeptEntryId, { details, checkpoint });
    }
    breaks++;
    freedTokens += before - size();
  };

  let calls = 0;
  for (const move of moves) {
    if ("user" in move) {
      builder.user(move.user);
      continue;
    }
    if (policy.compacts) await shrink();
    meter.take(messagesOf(), ANSWER_TOKENS);
    const id = `call-${++calls}`;
    builder.toolCall(id, move.tool, move.args);
    builder.toolResult(id, move.result, { toolName: move.tool });
  }
  return { usd: meter.usd, summaries, breaks, freedTokens, requests: meter.requests };
}

const totals = new Map<string, Outcome>();
for (let seed = 1; seed <= TRAJECTORIES; seed++) {
  const moves = trajectory(seed);
  for (const policy of POLICIES) {
    const sum = totals.get(policy.name);
    const one = await run(policy, moves);
    totals.set(policy.name, {
      usd: (sum?.usd ?? 0) + one.usd,
      summaries: (sum?.summaries ?? 0) + one.summaries,
      breaks: (sum?.breaks ?? 0) + one.breaks,
      freedTokens: (sum?.freedTokens ?? 0) + one.freedTokens,
      requests: (sum?.requests ?? 0) + one.requests,
    });
  }
}
const everything = totals.get("everything")?.usd ?? 0;
const alone = totals.get("summaries alone");
console.table(
  [...totals].map(([policy, { usd, summaries, breaks, freedTokens, requests }]) => ({
    policy,
    requests,
    USD: usd.toFixed(2),
    "of everything": `${((100 * usd) / everything).toFixed(1)} %`,
    "of summaries alone": `${((100 * usd) / (alone?.usd ?? 1)).toFixed(1)} %`,
    summaries,
    "cache breaks": breaks,
    "tokens freed a break": breaks === 0 ? 0 : Math.round(freedTokens / breaks),
  })),
);
