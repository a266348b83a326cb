/** Control, line-breaking and direction characters: in a list of names they would make up other names. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const UNSAFE_ALL = new RegExp(UNSAFE, "gu");

/** A path as the model sees it: itself, or with characters that would break a list as a JSON string. */
export function quotedPath(path: string): string {
  if (!UNSAFE.test(path)) return path;
  return JSON.stringify(path).replace(
    UNSAFE_ALL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A note on names whose bytes are lost, in brackets; undefined when there are none. */
export function brokenNamesNotice(paths: readonly string[]): string | undefined {
  if (!paths.some((path) => path.includes("\ufffd"))) return undefined;
  return "[Names with \ufffd are not valid UTF-8; only commands can reach those files.]";
}
