import { CLASSES, DIGIT, LOWER, SPACE, TRAILING, UPPER } from "./text-classes.ts";

/** `costOfUnits` counts in these. */
export const COSTS_A_TOKEN = 100;
/** Most units that `costOfUnits` takes at once: both sums of its pass then fit one number. */
export const MOST_UNITS = 256;

/**
 * Hundredths of a token of the first character of a run of each class (of a group of up to three digits), and of each
 * further one; fitted to o200k on code, logs, JSON, prose and localised messages. The committed corpus of
 * `bench/compaction/estimate.bench.ts` took no part.
 */
const FIRST = Uint8Array.of(25, 25, 120, 10, 20, 50, 70, 72, 72, 27, 65, 190, 0, 140);
const FURTHER = Uint8Array.of(25, 25, 0, 0, 0, 43, 70, 72, 72, 27, 65, 190, 0, 140);
/** A single space goes with the word after it, mostly; longer white space is a token of its own. */
const LONG_SPACE_COST = 56;
/** Base64, hashes, ids: hardly a pair of characters is in a vocabulary. */
const RANDOM_CHAR_COST = 66;

/** A word of at least this length whose kinds of characters change this often is random. */
const LEAST_RANDOM_CHARS = 16;
const MOST_CHARS_PER_CHANGE = 4;
const LEAST_RANDOM_CHANGES = LEAST_RANDOM_CHARS / MOST_CHARS_PER_CHANGE;

/** Beside the classes, which are the states after one character of them: later ones of a group of digits and of white space. */
const SECOND_DIGIT = 14;
const THIRD_DIGIT = 15;
const LONG_SPACE = 16;
const STATES = 17;
const CLASS_BITS = 4;
/** Nothing before: no word, and what follows is the first of its run. */
const START = TRAILING << CLASS_BITS;

/** What a step holds, from its low bits: its cost, whether it changes the kind of characters inside a word, the next state. */
const CHANGE_SHIFT = 16;
const STATE_SHIFT = 20;
const COST_AND_CHANGE = (1 << CHANGE_SHIFT) | 0xff;
const STEPS = stepTable();

/**
 * Cost of the units `from` … `to` in hundredths of a token; at most `MOST_UNITS` of them. This goes over most of a session.
 *
 * One look-up a character; only where kinds change often enough for random words, words are looked at one by one.
 */
export function costOfUnits(units: Uint16Array, from: number, to: number): number {
  let state = START;
  let sums = 0;
  for (let index = from; index < to; index++) {
    const step = STEPS[state | (CLASSES[units[index] as number] as number)] as number;
    sums += step & COST_AND_CHANGE;
    state = step >>> STATE_SHIFT;
  }
  const cost = sums & ((1 << CHANGE_SHIFT) - 1);
  const mayBeRandom = sums >>> CHANGE_SHIFT >= LEAST_RANDOM_CHANGES;
  return mayBeRandom ? cost + extraOfRandomWords(units, from, to) : cost;
}

/** What the random words among the units cost beyond their letters and digits. */
function extraOfRandomWords(units: Uint16Array, from: number, to: number): number {
  let extra = 0;
  for (let index = from; index < to; index++) {
    const start = index;
    let last = CLASSES[units[index] as number] as number;
    if (last > DIGIT) continue;
    let changes = 0;
    while (++index < to) {
      const kind = CLASSES[units[index] as number] as number;
      if (kind > DIGIT) break;
      if (isChange(last, kind)) changes++;
      last = kind;
    }
    const chars = index - start;
    if (chars < LEAST_RANDOM_CHARS || changes * MOST_CHARS_PER_CHANGE < chars) continue;
    extra += chars * RANDOM_CHAR_COST - costOfWord(units, start, index);
  }
  return extra;
}

function costOfWord(units: Uint16Array, from: number, to: number): number {
  let state = START;
  let cost = 0;
  for (let index = from; index < to; index++) {
    const step = STEPS[state | (CLASSES[units[index] as number] as number)] as number;
    cost += step & 0xff;
    state = step >>> STATE_SHIFT;
  }
  return cost;
}

/** Inside a word: a word or a camel-case part that begins with a capital is no change. */
function isChange(last: number, kind: number): boolean {
  return last !== kind && !(last === UPPER && kind === LOWER);
}

/** State and class → step. */
function stepTable(): Int32Array {
  const steps = new Int32Array(STATES << CLASS_BITS);
  for (let state = 0; state < STATES; state++) {
    for (let kind = 0; kind < FIRST.length; kind++) {
      const last = classOf(state);
      const change = kind <= DIGIT && last <= DIGIT && isChange(last, kind) ? 1 : 0;
      const next = nextState(state, kind) << CLASS_BITS;
      steps[(state << CLASS_BITS) | kind] =
        stepCost(state, kind) | (change << CHANGE_SHIFT) | (next << STATE_SHIFT);
    }
  }
  return steps;
}

function classOf(state: number): number {
  if (state === SECOND_DIGIT || state === THIRD_DIGIT) return DIGIT;
  return state === LONG_SPACE ? SPACE : state;
}

function nextState(state: number, kind: number): number {
  if (kind === SPACE) return classOf(state) === SPACE ? LONG_SPACE : SPACE;
  if (kind !== DIGIT) return kind;
  if (state === DIGIT) return SECOND_DIGIT;
  return state === SECOND_DIGIT ? THIRD_DIGIT : DIGIT;
}

function stepCost(state: number, kind: number): number {
  const isFurther = classOf(state) === kind;
  if (kind === SPACE && state === SPACE) return LONG_SPACE_COST;
  if (kind === DIGIT && state === THIRD_DIGIT) return FIRST[DIGIT] as number;
  return (isFurther ? FURTHER[kind] : FIRST[kind]) as number;
}
