import fc from "fast-check";

/** Texts of wide, joined and combined characters, tabs, and sequences that would drive a terminal. */
export const hostileText = fc
  .array(
    fc.constantFrom(
      ...["报错", "👩\u200d👧", "ไทย", "a\u0301", "word ", "\t"],
      ...["\u001b[31m", "\u001b]52;c;eA==\u0007"],
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));
