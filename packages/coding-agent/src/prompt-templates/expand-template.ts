import { splitArguments } from "./split-arguments.ts";

const PLACEHOLDER = /\$(?:(\d+)|(@)|ARGUMENTS\b|\{(\d+|@|ARGUMENTS)(?::-([^}]*))?\}|\{@:(\d+)(?::(\d+))?\})/g;

/**
 * A template with the arguments of a call put in: `$1`, `${1:-default}`, `$@` and `$ARGUMENTS` (all as they were written),
 * `${@:2}` and `${@:2:3}` (some of them). Words that are not given are empty. One pass: what is put in is never expanded.
 */
export function expandTemplate(template: string, args: string): string {
  const words = splitArguments(args);
  const all = args.trim();
  const nth = (text: string) => words[Number(text) - 1] ?? "";
  return template.replaceAll(
    PLACEHOLDER,
    (_, plain?: string, at?: string, braced?: string, fallback?: string, from?: string, count?: string) => {
      if (plain !== undefined) return nth(plain);
      if (from !== undefined) {
        const start = Math.max(0, Number(from) - 1);
        return words.slice(start, count === undefined ? undefined : start + Number(count)).join(" ");
      }
      if (at !== undefined || braced === undefined) return all;
      const value = braced === "@" || braced === "ARGUMENTS" ? all : nth(braced);
      return value === "" ? (fallback ?? "") : value;
    },
  );
}
