/** A sentence, to go on with it. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
