import { ToolError } from "../tool-error.ts";
import { compileGlob } from "./glob.ts";

/** `compileGlob` for a pattern of the model: throws `ToolError` that names what can match nothing. */
export function readGlob(pattern: string): (path: string) => boolean {
  const problem = problemOf(pattern);
  if (problem !== undefined) throw new ToolError(`The pattern ${pattern} ${problem}`);
  try {
    return compileGlob(pattern);
  } catch (cause) {
    throw new ToolError(
      `The pattern ${pattern} has a [ ] that cannot be read, such as a range from z to a.`,
      {
        cause,
      },
    );
  }
}

function problemOf(pattern: string): string | undefined {
  if (pattern.split("/").includes("..")) {
    return "leaves the searched folder: give the folder as path, and a pattern relative to it.";
  }
  // What is escaped, and sets that are closed, cannot be the problem.
  const rest = pattern.replace(/\\.|\[[!^]?\]?[^\]]+\]/gsu, "");
  if (rest.includes("[")) return "has a [ that is not closed. Write \\[ for the character itself.";
  const depth = [...rest].reduce(
    (open, one) => (one === "{" ? open + 1 : one === "}" && open > 0 ? open - 1 : open),
    0,
  );
  return depth === 0 ? undefined : "has a { that is not closed. Write \\{ for the character itself.";
}
