import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** A session file to generate. The same values give the same bytes. */
export interface GeneratedSession {
  readonly path: string;
  readonly entries: number;
  /** Mean length of the text of a message. */
  readonly textChars: number;
  /** Of the header; default: one that is not there. */
  readonly cwd?: string;
}

const START_MS = 1_767_225_600_000;
const VOCABULARY = 20_000;
const CODAS = ["", "n", "r", "s", "t", "l", "m", "nd", "st", "ck"];
const SYLLABLES = [..."bcdfghjklmnpqrstvwxz"].flatMap((onset) =>
  [..."aeiou"].flatMap((vowel) => CODAS.map((coda) => onset + vowel + coda)),
);

/** A number in [0, 1) after another: mulberry32 (public domain). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words = ((random) =>
  Array.from({ length: VOCABULARY }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
    ).join(""),
  ))(randomNumbers(1));

/** Text whose words are as unequally common as those of a language. */
export function textOf(random: () => number, chars: number): string {
  const parts: string[] = [];
  for (let length = 0; length < chars; ) {
    const word = words[Math.floor(random() ** 4 * VOCABULARY)] ?? "";
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(" ");
}

const idOf = (index: number): string =>
  ((BigInt(index) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, "0");

function messageOf(index: number, text: string): object {
  const timestamp = START_MS + index * 1000;
  if (index % 2 === 0) return { role: "user", content: [{ type: "text", text }], timestamp };
  const cost = { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 };
  const usage = { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200, cost };
  const content = [{ type: "text", text }];
  return {
    role: "assistant",
    content,
    api: "openai-completions",
    provider: "p",
    model: "m",
    usage,
    stopReason: "stop",
    timestamp,
  };
}

const AFTER_COMPACTION = 500;

/** Writes a linear session with a compaction 500 entries before its end, or in its last 2 %; resolves with the bytes of file and of messages alone. */
export async function generateSession(
  made: GeneratedSession,
): Promise<{ fileBytes: number; messageBytes: number }> {
  const out = createWriteStream(made.path);
  const random = randomNumbers(7);
  const iso = (index: number) => new Date(START_MS + index * 1000).toISOString();
  const compactionAt = made.entries - Math.min(AFTER_COMPACTION, Math.ceil(made.entries * 0.015));
  let fileBytes = 0;
  let messageBytes = 0;
  let pending = `${JSON.stringify({ type: "session", version: 3, id: "bench", timestamp: iso(0), cwd: made.cwd ?? "/w" })}\n`;
  for (let index = 0; index < made.entries; index++) {
    const parentId = index === 0 ? null : idOf(index - 1);
    const base = { id: idOf(index), parentId, timestamp: iso(index) };
    const message = messageOf(index, textOf(random, made.textChars * (0.5 + random())));
    const checkpoint = { model: { provider: "p", modelId: "m" } };
    const compaction = {
      summary: "All before.",
      firstKeptEntryId: idOf(Math.max(0, index - 10)),
      tokensBefore: 1,
      fromHook: false,
      checkpoint,
    };
    const entry =
      index === compactionAt
        ? { type: "compaction", ...base, ...compaction }
        : { type: "message", ...base, message };
    pending += `${JSON.stringify(entry)}\n`;
    if (index !== compactionAt) messageBytes += JSON.stringify(message).length;
    if (pending.length < 1_000_000 && index < made.entries - 1) continue;
    fileBytes += pending.length;
    if (!out.write(pending)) await once(out, "drain");
    pending = "";
  }
  out.end();
  await once(out, "close");
  return { fileBytes, messageBytes };
}
