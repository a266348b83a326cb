import type { Fact, FactKind } from "./fact.ts";
import type { EvalPlan, EvalStep, EvalTurn } from "./plan.ts";
import { SeededRandom } from "./seeded-random.ts";

const SERVICES = ["billing", "search", "mailer", "ledger", "gateway", "catalogue", "notifier", "importer"];
const CHOICES = [
  { topic: "queue", options: ["redis-streams", "nats-jetstream", "rabbitmq"] },
  { topic: "cache", options: ["memcached", "valkey", "in-process-lru"] },
  { topic: "date format", options: ["ISO-8601", "unix-seconds", "RFC-2822"] },
  { topic: "retry limit", options: ["three-attempts", "five-attempts", "no-retries"] },
] as const;
const RULES = [
  (service: string, code: string) => `Never log the customer number of ${service}, ticket ${code}.`,
  (service: string, code: string) => `Always run the checks of ${service} with profile ${code}.`,
  (service: string, code: string) => `The public API of ${service} must stay compatible with ${code}.`,
] as const;
/** How a user takes a choice back, the old and the new one named. */
const REVERSALS = [
  (what: string, one: string, other: string) =>
    `Change of plan for the ${what}: not ${one} any more, we go with ${other}`,
  (what: string, one: string, other: string) => `Use ${other} instead of ${one} for the ${what}`,
  (what: string, one: string, other: string) => `We switch the ${what} from ${one} to ${other}`,
  (what: string, one: string, other: string) => `I was wrong about ${one}: the ${what} should be ${other}`,
  (what: string, one: string, other: string) =>
    `On second thought, ${other} is better than ${one} for the ${what}`,
] as const;
const WORDS = "request handler queue timeout batch cursor index shard token ledger route retry buffer".split(
  " ",
);

const LOG_LINES = 70;
const FILLER_READS = 5;
const FILLER_FILES = 12;

interface Planted {
  readonly facts: readonly Fact[];
  readonly turn: EvalTurn;
  readonly files: Readonly<Record<string, string>>;
}

/** A session of work on several services, one of each kind of fact a service and a reversal for every second. */
export function createPlan(seed: number): EvalPlan {
  const random = new SeededRandom(seed);
  const services = random.shuffled(SERVICES);
  const early = services.flatMap((service) => [
    valueInFile(service, random),
    valueFromUser(service, random),
    valueInOutput(service, random),
    changedFile(service, random),
    openWork(service, random),
    rule(service, random),
  ]);
  const choices = services.map((service, at) =>
    choice(service, {
      ...(CHOICES[at % CHOICES.length] ?? CHOICES[0]),
      reversal: REVERSALS[(seed + Math.floor(at / 2)) % REVERSALS.length] ?? REVERSALS[0],
      random,
    }),
  );
  const planted = [...random.shuffled([...early, ...choices.map(({ first }) => first)])];
  const later = choices.flatMap(({ second }, at) => (at % 2 === 0 ? [second] : []));
  const all = [...planted, ...random.shuffled(later)];
  const superseded = new Set(later.flatMap(({ facts }) => facts.map(({ id }) => id)));
  return {
    seed,
    files: Object.assign({}, ...all.map(({ files }) => files), fillerFiles(random)),
    turns: all.map(({ turn }) => turn),
    filler,
    facts: all.flatMap(({ facts }) => facts).map((fact) => withoutReversalThatNeverCame(fact, superseded)),
  };
}

function withoutReversalThatNeverCame(fact: Fact, told: ReadonlySet<string>): Fact {
  if (fact.supersededBy === undefined || told.has(fact.supersededBy)) return fact;
  const { supersededBy: _, ...standing } = fact;
  return standing;
}

function valueInFile(service: string, random: SeededRandom): Planted {
  const path = `config/${service}.ini`;
  const text = `${service}.listen_port = ${random.integer(20_000, 60_000)}`;
  const lines = settingsLines(random, 50);
  lines.splice(random.integer(5, 45), 0, text);
  return {
    facts: [fact("recall", `${service}/port`, text, `${service}.listen_port`)],
    files: { [path]: `${lines.join("\n")}\n` },
    turn: turn(`Have a look at the settings of ${service}.`, [{ tool: "read", path }], "I have read them."),
  };
}

function valueFromUser(service: string, random: SeededRandom): Planted {
  const text = `heron_${hex(random)}`;
  return {
    facts: [fact("recall", `${service}/database`, text, `staging database of ${service}`)],
    files: {},
    turn: turn(`By the way, the staging database of ${service} is called ${text}.`, [], "Noted."),
  };
}

function valueInOutput(service: string, random: SeededRandom): Planted {
  const path = `reports/${service}.txt`;
  const text = `p95 of ${service}: ${random.integer(100, 900)}.${random.integer(1, 9)} ms`;
  const lines = logLines(random, 40);
  lines.splice(random.integer(5, 35), 0, text);
  return {
    facts: [fact("recall", `${service}/latency`, text, `p95 of ${service}`)],
    files: { [path]: `${lines.join("\n")}\n` },
    turn: turn(
      `How fast is ${service}? The last report will do.`,
      [{ tool: "bash", command: `cat ${path}` }],
      "The report is above; nothing in it worries me.",
    ),
  };
}

function changedFile(service: string, random: SeededRandom): Planted {
  const path = `src/${service}/step-${hex(random)}.ts`;
  const content = `export const ${service}Step = ${JSON.stringify(sentence(random, 60))};\n`;
  return {
    facts: [fact("artifact", `${service}/file`, path, `src/${service}/step`)],
    files: {},
    turn: turn(
      `Add the next step of ${service}.`,
      [{ tool: "write", path, content }],
      "The step is in place.",
    ),
  };
}

function openWork(service: string, random: SeededRandom): Planted {
  const text = `rename class ${name(random)}Pool to ${name(random)}Pool in ${service}`;
  return {
    facts: [fact("continuation", `${service}/open`, text, `later in ${service} rename class`)],
    files: {},
    turn: turn(`Not now, but later in ${service}: ${text}.`, [], "I will come to that later."),
  };
}

function rule(service: string, random: SeededRandom): Planted {
  const text = random.pick(RULES)(service, `K-${hex(random)}`);
  return {
    facts: [fact("decision", `${service}/rule`, text, `${service} K-`)],
    files: {},
    turn: turn(text, [], "Understood."),
  };
}

function choice(
  service: string,
  {
    topic,
    options,
    reversal,
    random,
  }: (typeof CHOICES)[number] & {
    readonly reversal: (typeof REVERSALS)[number];
    readonly random: SeededRandom;
  },
): { readonly first: Planted; readonly second: Planted } {
  const [one = "", other = ""] = random.shuffled<string>(options);
  const id = `${service}/${topic.replaceAll(" ", "-")}`;
  const told = `For the ${topic} of ${service} we go with ${one}`;
  const changed = reversal(`${topic} of ${service}`, one, other);
  const question = `${topic} of ${service}`;
  return {
    first: {
      facts: [{ ...fact("decision", id, told, `${question} ${one}`), supersededBy: `${id}/changed` }],
      files: {},
      turn: turn(`${told}.`, [], "Good."),
    },
    second: {
      facts: [fact("decision", `${id}/changed`, changed, question)],
      files: {},
      turn: turn(`${changed}.`, [], "Changed."),
    },
  };
}

function filler(index: number): EvalTurn {
  const steps = Array.from(
    { length: FILLER_READS },
    (_, at): EvalStep => ({ tool: "read", path: fillerPath((index * FILLER_READS + at) % FILLER_FILES) }),
  );
  return turn(`Go on with part ${index + 1} of the logs.`, steps, `Part ${index + 1} holds nothing of note.`);
}

function fillerFiles(random: SeededRandom): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: FILLER_FILES }, (_, at) => [
      fillerPath(at),
      `${logLines(random, LOG_LINES).join("\n")}\n`,
    ]),
  );
}

const fillerPath = (at: number) => `logs/part-${at}.log`;

function turn(prompt: string, steps: readonly EvalStep[], answer: string): EvalTurn {
  return { prompt, steps, answer };
}

function fact(kind: FactKind, id: string, text: string, question: string): Fact {
  return { id, kind, text, question };
}

const hex = (random: SeededRandom) => random.integer(0x1000, 0xffff).toString(16);

function name(random: SeededRandom): string {
  const [first = "", ...rest] = random.pick(["kestrel", "merlin", "osprey", "harrier", "goshawk", "hobby"]);
  return `${first.toUpperCase()}${rest.join("")}${random.integer(10, 99)}`;
}

function sentence(random: SeededRandom, words: number): string {
  return Array.from({ length: words }, () => random.pick(["", ...WORDS])).join(" ");
}

function logLines(random: SeededRandom, count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `12:${String(at % 60).padStart(2, "0")} ${hex(random)} ${sentence(random, 10)}`,
  );
}

function settingsLines(random: SeededRandom, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `option_${at}_${hex(random)} = ${sentence(random, 4)}`);
}
