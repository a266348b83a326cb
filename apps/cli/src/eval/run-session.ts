import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createWireServer } from "@coppice/ai/testing";
import type { EvalPlan } from "./plan.ts";
import { EvalScript } from "./script.ts";
import { EVAL_WINDOW_TOKENS, type SubjectKind } from "./subject.ts";
import { type FactVerdict, judge } from "./verdict.ts";

/** Turns of filler that every agent lives through, so that all have the same work behind them. */
const LEAST_FILLER_TURNS = 24;
/** Turns of filler after which an agent that was not compacted often enough is given up on. */
const MOST_FILLER_TURNS = 150;
const PROBE = { prompt: "Tell me what you know about the services.", steps: [], answer: "That is all." };

export interface SessionOutcome {
  readonly seed: number;
  readonly compactions: number;
  /** Turns of filler that it took. */
  readonly fillerTurns: number;
  /** Requests that the server refused as invalid or too long. */
  readonly refused: number;
  readonly verdicts: readonly FactVerdict[];
}

/** Lives one session through with one agent, compacted at least so often, and judges every fact at its end. */
export async function runSession(options: {
  readonly kind: SubjectKind;
  readonly plan: EvalPlan;
  readonly compactions: number;
  readonly signal?: AbortSignal;
  readonly onExit?: (cleanUp: () => void) => void;
}): Promise<SessionOutcome> {
  const { kind, plan, signal } = options;
  const script = new EvalScript({ facts: plan.facts.map(({ text }) => text), seed: plan.seed });
  await using server = await createWireServer({
    answers: script.answer,
    contextWindow: EVAL_WINDOW_TOKENS,
    // Fields that agents send to servers of this kind beyond the official ones.
    extraFields: ["prompt_cache_retention"],
  });
  const folder = await mkdtemp(join(tmpdir(), "coppice-eval-"));
  options.onExit?.(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const [project, scratch] = [join(folder, "project"), join(folder, "scratch")];
    await layFiles(project, plan.files);
    await mkdir(scratch);
    await using subject = await kind.start({
      ...{ server, project, scratch },
      ...(signal === undefined ? {} : { signal }),
    });
    const say = async (turn: (typeof plan.turns)[number]) => {
      signal?.throwIfAborted();
      script.begin(turn);
      await subject.say(turn);
    };
    for (const turn of plan.turns) await say(turn);
    let fillerTurns = 0;
    while (fillerTurns < LEAST_FILLER_TURNS || (await subject.compactions()) < options.compactions) {
      if (fillerTurns === MOST_FILLER_TURNS) break;
      await say(plan.filler(fillerTurns++));
    }
    await say(PROBE);
    const { recall } = subject;
    const verdicts: FactVerdict[] = [];
    for (const fact of plan.facts) {
      verdicts.push(await judge(fact, { view: script.lastView, facts: plan.facts, recall }));
    }
    const refused = server.rejections.length + server.overflows.length;
    return { seed: plan.seed, compactions: await subject.compactions(), fillerTurns, refused, verdicts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function layFiles(project: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
}
