const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPABLE = '"\\/bfnrtu';
const CONTROL_NAMES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

/**
 * JSON text with its unambiguous slips put right, or undefined where the text does not hold one whole value.
 *
 * Raw control characters in strings are escaped, a backslash before a character that JSON cannot escape stays as a
 * backslash (`\d`, `\usepackage`), commas before a closing bracket go, and so do closing brackets after the end. Text
 * that stops early is never completed: what was not said is not guessed.
 */
export function repairJson(text: string): string | undefined {
  const trimmed = text.trim();
  let out = "";
  let depth = 0;
  let at = 0;
  /** Where a comma stands that only blanks follow so far; -1 for none. */
  let commaAt = -1;
  while (at < trimmed.length) {
    const char = trimmed.charAt(at);
    if (char === '"') {
      const string = repairString(trimmed, at);
      if (string === undefined) return undefined;
      out += string.text;
      at = string.end;
      commaAt = -1;
      continue;
    }
    at++;
    if (char === "{" || char === "[") depth++;
    if (char === "}" || char === "]") {
      depth--;
      if (commaAt >= 0) out = out.slice(0, commaAt);
    }
    if (char === ",") commaAt = out.length;
    else if (char.trim() !== "") commaAt = -1;
    out += char;
    if (depth === 0 && (char === "}" || char === "]")) {
      return /^[\s}\]]*$/.test(trimmed.slice(at)) ? out : undefined;
    }
  }
  return undefined;
}

/** The string that starts at `from`, repaired, and the place after it; undefined if it never ends. */
function repairString(
  text: string,
  from: number,
): { readonly text: string; readonly end: number } | undefined {
  let out = '"';
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { text: `${out}"`, end: at + 1 };
    if (char === "\\") {
      const next = text.charAt(at + 1);
      const isLegal =
        next !== "" && ESCAPABLE.includes(next) && (next !== "u" || HEX4.test(text.slice(at + 2, at + 6)));
      out += isLegal ? `\\${next}` : "\\\\";
      if (isLegal) at++;
    } else if (char < " ") {
      out += CONTROL_NAMES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    } else {
      out += char;
    }
  }
  return undefined;
}
