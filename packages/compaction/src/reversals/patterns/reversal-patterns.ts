/** How a person takes something back in one language. */
export interface ReversalPatterns {
  /** Says that something is taken back, but not what: the next sentence goes with it. */
  readonly announcements: readonly RegExp[];
  /** Names what holds no more, or what holds instead, in words that say so by themselves. */
  readonly replacements: readonly RegExp[];
  /** Sets one thing against another; takes it back where anyone spoke of the group `old` before. */
  readonly contrasts: readonly RegExp[];
  /** Ordinary words of work, which take something back only where the user spoke of the group `old` before. */
  readonly endings: readonly RegExp[];
  /** Questions and reports of the same words. */
  readonly exceptions: readonly RegExp[];
  /** What counts although it is a question: a request in the form of one. */
  readonly requests?: readonly RegExp[];
}
