import { basename } from "node:path";

/** Shells that run a text given as an argument. */
export const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);

/** Programs that hand a text to a shell in the same way. */
const LIKE_SHELLS: ReadonlySet<string> = new Set([...SHELLS, "su", "runuser", "script"]);

/** An option that ends in `c`, alone or among others (`-lc`), says that the next word is a script. */
const SCRIPT_OPTION = /^-\w*c$/;

/** Indexes of the words that a shell among them would run as a script; of `eval`, all that follow. */
export function scriptWords(words: readonly string[]): readonly number[] {
  const found = new Set<number>();
  for (const [at, word] of words.entries()) {
    if (word === "trap") found.add(at + 1);
    if (word === "eval") {
      for (let index = at + 1; index < words.length; index++) found.add(index);
      break;
    }
    if (!LIKE_SHELLS.has(basename(word))) continue;
    const option = words.findIndex((arg, index) => index > at && SCRIPT_OPTION.test(arg));
    if (option >= 0) found.add(words[option + 1] === "--" ? option + 2 : option + 1);
  }
  return [...found].filter((index) => index < words.length).sort((a, b) => a - b);
}
