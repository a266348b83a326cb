import { readsContents } from "./command-paths.ts";
import { couldBecome } from "./could-be.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { isReadOnlyCommand } from "./read-only-commands.ts";
import type { ShellLine } from "./shell-command.ts";

/** A path that a command names, in every way that a rule may write it. */
export interface NamedPath {
  /** Index of the command in its line. */
  readonly command: number;
  /** Relative to the working directory and absolute, as written and where its links lead. */
  readonly forms: readonly string[];
  /** Absolute folder (as written and resolved) that holds whatever the path stands for; empty: it is just itself. */
  readonly within: readonly string[];
  /** A redirection writes it. */
  readonly isWritten: boolean;
}

/**
 * A rule for files that speaks of one that a command names: `read(…)` of those that it may read, `edit(…)` and
 * `write(…)` of those that it may change.
 */
export function fileRuleFor(
  rules: readonly PermissionRule[],
  line: ShellLine,
  named: readonly NamedPath[],
): PermissionRule | undefined {
  const uses = named.map((path) => {
    const command = line.commands[path.command];
    const isHarmless = command !== undefined && isReadOnlyCommand(command);
    return {
      path,
      isRead: !isHarmless || readsContents(command),
      isChanged: path.isWritten || !isHarmless,
    };
  });
  const texts = line.commands.flatMap((command) => {
    const isHarmless = isReadOnlyCommand(command);
    return command.words
      .filter((word) => /[\s'"()+$]/.test(word))
      .map((text) => ({ text, isRead: !isHarmless || readsContents(command), isChanged: !isHarmless }));
  });
  return rules.find(
    (rule) =>
      (rule.why !== undefined &&
        texts.some(
          ({ text, isRead, isChanged }) =>
            ((isRead && forReading(rule)) || (isChanged && forChanging(rule))) && speaksOfFile(rule, text),
        )) ||
      (rule.pattern !== undefined &&
        uses.some(
          ({ path, isRead, isChanged }) =>
            ((isRead && forReading(rule)) || (isChanged && forChanging(rule))) &&
            ([...path.forms, ...path.within].some((form) => rule.path?.(form) === true) ||
              couldMeet(path, rule)),
        )),
  );
}

/** Whether a text for some interpreter has both the name of the user's folder and that of the file in it. */
function speaksOfFile({ folder = "", marks = [] }: PermissionRule, text: string): boolean {
  const name = folder.split("/").at(-1) ?? "";
  return name !== "" && !name.startsWith(".") && [name, ...marks].every((mark) => text.includes(mark));
}

/** Whether a glob or a variable in a command could lead to what a rule names: the very file, or the name it ends in. */
function couldMeet({ forms, within }: NamedPath, { folder, pattern = "", why }: PermissionRule): boolean {
  if (within.length === 0) return false;
  const name = pattern.split("/").at(-1) ?? "";
  return forms.some((form) => {
    if (!/[*?[{$]/.test(form)) return false;
    if (folder !== undefined && (why !== undefined || folder.endsWith(name)) && couldBecome(form, folder))
      return true;
    // Behind a variable only the end is known.
    if (why !== undefined)
      return folder !== undefined && form.endsWith(`/${folder.split("/").slice(-2).join("/")}`);
    const last = form.split("/").at(-1) ?? "";
    return name !== "" && !/[*?[{]/.test(name) && !/^\$/.test(last) && couldBecome(last, name);
  });
}

/** Whether a line that only reads could show what a rule for reading speaks of: by a glob, a search, a variable. */
export function couldShow(
  rules: readonly PermissionRule[],
  line: ShellLine,
  named: readonly NamedPath[],
): boolean {
  const guarded = rules.filter((rule) => rule.pattern !== undefined && forReading(rule));
  return named.some((path) => {
    const command = line.commands[path.command];
    if (command === undefined || !readsContents(command)) return false;
    return guarded.some((rule) => path.within.some((folder) => overlaps(folder, rule)));
  });
}

/** Whether text that nobody can take apart may speak of a file of these rules. */
export function mentionsFileOf(rules: readonly PermissionRule[], text: string): boolean {
  return rules.filter(isFileRule).some(({ pattern = "", marks }) => {
    const words = marks ?? [longestName(pattern)];
    return words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  });
}

function longestName(pattern: string): string {
  return pattern
    .split(/[*?/]+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

function isFileRule(rule: PermissionRule): boolean {
  return rule.pattern !== undefined && (forReading(rule) || forChanging(rule));
}

function forReading({ tool }: PermissionRule): boolean {
  return tool.test("read");
}

function forChanging({ tool }: PermissionRule): boolean {
  return tool.test("edit") || tool.test("write");
}

/** Whether a rule may speak of something in a folder: it begins in there, or above with a pattern. */
function overlaps(folder: string, { folder: start, pattern = "", why }: PermissionRule): boolean {
  if (start === undefined) return true;
  return isIn(start, folder) || (why === undefined && /[*?]/.test(pattern) && isIn(folder, start));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
