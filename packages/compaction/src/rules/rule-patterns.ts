/** What makes a sentence a lasting rule in one language, and what forbids it to be one. */
export interface RulePatterns {
  /**
   * Words of which every rule has one; optional. A sentence without any is looked at no further: making the other
   * patterns ready takes longer than a short run may.
   */
  readonly signal?: RegExp;
  /** Words that may stand before the rule and say nothing: "please", "and", "remember:". */
  readonly lead: RegExp;
  /** Where a clause of a longer sentence begins. */
  readonly clause: RegExp;
  /** Tested against the sentence, and against each clause, without its lead. */
  readonly rules: readonly RegExp[];
  /** Only against whole sentences: too weak for a clause. */
  readonly sentenceRules: readonly RegExp[];
  /** Questions, reports, and set phrases that contain a trigger word. Tested against the sentence without its lead. */
  readonly exceptions: readonly RegExp[];
}
