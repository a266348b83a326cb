const EMOJI_STYLE = /\ufe0f/g;
const JOINER_OF_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic})/gu;
const SKIN_TONE = /(?<=\p{Emoji_Modifier_Base})\p{Emoji_Modifier}/gu;

/** None of these can be in a text without a character from here on. */
const FIRST_CODE = 0x200d;

/**
 * Emoji in the one form that every terminal measures alike (fault B199).
 *
 * A family that is joined from three people is two columns where graphemes are drawn as one, and three or six where
 * they are not; nothing a terminal says tells which. So joined emoji stand side by side, without skin tones, and
 * characters that are emoji only by a variation selector are shown as text.
 */
export function evenEmoji(text: string): string {
  if (!hasCandidate(text)) return text;
  return text.replace(EMOJI_STYLE, "").replace(JOINER_OF_EMOJI, "").replace(SKIN_TONE, "");
}

/** Most texts are plain, and this is asked for every frame of a stream. */
function hasCandidate(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= FIRST_CODE) return true;
  return false;
}
