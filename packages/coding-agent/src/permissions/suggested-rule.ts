import type { PermissionQuestion } from "./permission-policy.ts";
import { splitShellLine } from "./split-shell-line.ts";

/**
 * A rule that would decide on calls of the same kind; undefined where only the whole tool could be named.
 *
 * What a model wrote must not widen the rule: names with a `*` in them make none.
 */
export function suggestedRule({
  tool,
  input,
  paths,
  realPaths = paths,
}: PermissionQuestion): string | undefined {
  if (tool !== "bash") {
    const [path] = realPaths;
    if (path === undefined) return tool;
    return isPlain(path) ? `${tool}(${path})` : undefined;
  }
  const { commands, isUnderstood } = splitShellLine(typeof input.command === "string" ? input.command : "");
  const [command] = commands;
  if (!isUnderstood || commands.length !== 1 || command === undefined || command.writes.length > 0)
    return undefined;
  const [name = "", subcommand = ""] = command.words;
  if (name === "" || /[$=()*]/.test(name)) return undefined;
  if (/^[a-z][\w:-]*$/.test(subcommand)) return `bash(${name} ${subcommand} *)`;
  const line = command.words.join(" ");
  return isPlain(line) ? `bash(${line})` : undefined;
}

function isPlain(text: string): boolean {
  return !/[*?]/.test(text) && text === text.trim();
}
