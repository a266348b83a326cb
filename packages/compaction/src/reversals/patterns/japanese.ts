import { once } from "../once.ts";
import type { ReversalPatterns } from "./reversal-patterns.ts";

export const japaneseReversals = once(
  (): ReversalPatterns => ({
    announcements: [
      /方針(?:を)?変更|予定(?:を)?変更|気が変わ|考え直し|撤回(?:し|する)|^訂正|間違えまし|さっきのは(?:なし|忘れて)/,
    ],
    replacements: [
      /やっぱり?|やはり|取りやめ|(?:使う|採用する)のは?(?:やめ|止め)|に戻し(?:て|ましょう|ます)|(?:使わない|採用しない)ことに/,
    ],
    contrasts: [/(?<old>.{1,12})(?:ではなく|じゃなく|でなく|の代わりに|よりも?)/],
    endings: [
      /(?<old>.{1,12})(?:は|を|も)?(?:やめ(?:て|よう|ましょう|ます)|なしで|不要(?:です|になり)|使わないで|外して|削除して)/,
      /(?<old>.{1,12})[をは][^、。]{1,20}に(?:変更|変え|し直|上げ|下げ|切り替え)/,
    ],
    exceptions: [/[?？]$|(?:です|ます|でしょう)か。?$/],
  }),
);
