/** Bits a character from which text of a secret's length is no word: hexadecimal has at most 4, base64 at most 6. */
const MIN_ENTROPY_BITS = 3;
const MIN_DISTINCT = 8;

/** What people write where a secret will stand. */
const PLACEHOLDER =
  /(?:example|sample|placeholder|change.?me|your|dummy|redacted|insert|replace|xxx|\*\*\*|\.\.\.|…|<|>|\{\{|\$|%\(|012345|123456|abcdef|deadbeef)/i;
const NOTHING =
  /^(?:null|none|nil|true|false|undefined|empty|string|number|boolean|required|optional|secret|password|token|key)$/i;
/** Words joined by punctuation, with numbers of few digits: a name, a path, a version. */
const NAME =
  /^(?:[A-Za-z]*|\d{1,4}|[A-Za-z]{2,}\d{1,3}|v?\d{1,4}[a-z]?)(?:[-_./:@+ ](?:[A-Za-z]*|\d{1,4}|[A-Za-z]{2,}\d{1,3}|v?\d{1,4}[a-z]?))*$/;

/** True for text that stands where a secret would: an example, a variable, a type. */
export function isPlaceholder(value: string): boolean {
  return NOTHING.test(value) || PLACEHOLDER.test(value);
}

/** True for text that nobody would choose as a name: letters and digits mixed without a rule one can see. */
export function isRandomLooking(value: string): boolean {
  if (isPlaceholder(value) || NAME.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return new Set(value).size >= MIN_DISTINCT && entropyBits(value) >= MIN_ENTROPY_BITS;
}

/** Shannon entropy in bits a character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
