import { dirname, isAbsolute, resolve } from "node:path";
import type { ShellCommand, ShellLine } from "./shell-command.ts";

/** A path that a command of a line may touch, as far as its words tell. */
export interface CommandPath {
  /** Index of the command in its line. */
  readonly command: number;
  /** Absolute, links not resolved. Of an open one: with its globs as they are written. */
  readonly path: string;
  /** Absolute folder that holds whatever an open path stands for; undefined for a path that is just itself. */
  readonly within: string | undefined;
  /** A redirection writes it. */
  readonly isWritten: boolean;
}

export interface CommandPathsOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly homeDirectory?: string | undefined;
}

/** A line with more of them is no line that a person would write; then they may be any. */
const MOST_PATHS = 400;

/** These tell names, sizes and the like, never what is in a file. */
const NAMES_ONLY = new Set([
  ..."[ basename cd df dirname du echo false find id ls pwd readlink realpath stat test tree true uname".split(
    " ",
  ),
  ...["which", "whoami"],
]);

/** Whether a command, as long as it only reads, tells what is in files. */
export function readsContents({ words }: ShellCommand): boolean {
  return !NAMES_ONLY.has(words[0] ?? "");
}

/**
 * Every path that a line's words can be read as, wider than what really is one: each word, and what stands in it behind
 * `=`, `:`, `@` or a short option, from every folder that a `cd` of the line may lead to.
 */
export function commandPaths({ commands }: ShellLine, options: CommandPathsOptions): readonly CommandPath[] {
  let folders: readonly Folder[] = [options.cwd];
  const found: CommandPath[] = [];
  for (const [index, command] of commands.entries()) {
    for (const mention of mentionsOf(command)) {
      const { isWritten } = mention;
      found.push(
        ...folders.map((folder) => ({ ...placed(mention, folder, options), command: index, isWritten })),
      );
    }
    folders = foldersAfter(command, folders, options);
    if (found.length > MOST_PATHS) return [...found, { ...ANYWHERE, command: index, isWritten: false }];
  }
  return found;
}

/** Undefined: nobody can tell which. */
type Folder = string | undefined;

interface Mention {
  readonly text: string;
  readonly kind: "itself" | "open" | "folder";
  readonly isWritten: boolean;
}

const OPEN = /[*?[{$]/;
const ANYWHERE = { path: "/", within: "/" };
/** More `cd`s than this are not followed. */
const MOST_FOLDERS = 16;

function mentionsOf(command: ShellCommand): readonly Mention[] {
  const { words, openWords, reads, writes } = command;
  const isSearch = searchesFolders(command);
  const ofWords = words.flatMap((word, at) => {
    const kind = openWords.includes(at) ? "open" : isSearch ? "folder" : "itself";
    return readings(word).map((text) => ({ text, kind, isWritten: false }) as const);
  });
  const redirected = (isWritten: boolean) => (text: string) =>
    ({ text, kind: OPEN.test(text) ? "open" : "itself", isWritten }) as const;
  const operands = words.slice(1).filter((word) => !word.startsWith("-"));
  const here: readonly Mention[] =
    isSearch && words[0] !== "diff" && operands.length < 2
      ? [{ text: ".", kind: "folder", isWritten: false }]
      : [];
  return [...ofWords, ...here, ...reads.map(redirected(false)), ...writes.map(redirected(true))];
}

/** A word, and the parts of it that a program may take for a path. */
function readings(word: string): readonly string[] {
  const parts = [...word.matchAll(/[=:@]/g)].map(({ index }) => word.slice(index + 1));
  const attached = /^-[^-/~]*([/~].*)$/s.exec(word)?.[1];
  return [word, ...parts, ...(attached === undefined ? [] : [attached])].filter((text) => text !== "");
}

/** A search through folders shows what is in files that nobody named. */
function searchesFolders({ words: [name = "", ...args] }: ShellCommand): boolean {
  if (name === "rg" || name === "diff") return true;
  return name === "grep" && args.some((arg) => /^-[^-]*[rR]|^--(r|deref|dir)/.test(arg));
}

function placed(
  { text, kind }: Pick<Mention, "text" | "kind">,
  folder: Folder,
  { homeDirectory }: CommandPathsOptions,
): Pick<CommandPath, "path" | "within"> {
  const word =
    homeDirectory === undefined ? text : text.replace(/^(?:~|\$HOME)(?=$|\/)/, () => homeDirectory);
  // Somebody else's home, or what only the running shell knows.
  if (word.startsWith("~") || (kind === "open" && word.startsWith("$"))) return ANYWHERE;
  if (folder === undefined && !isAbsolute(word)) return ANYWHERE;
  const from = folder ?? "/";
  const path = resolve(from, word);
  if (kind !== "open") return { path, within: kind === "folder" ? path : undefined };
  const literal = /^[^*?[{$]*/.exec(word)?.[0] ?? "";
  return { path, within: literal === word ? path : resolve(from, dirname(`${literal}x`)) };
}

/** Where the rest of a line may be worked in. */
function foldersAfter(
  { words: [name, ...args], openWords }: ShellCommand,
  folders: readonly Folder[],
  options: CommandPathsOptions,
): readonly Folder[] {
  if (name !== "cd" && name !== "pushd") return folders;
  const text = args.find((arg) => !/^-[A-Za-z]/.test(arg)) ?? "~";
  if (text === "-" || openWords.length > 0 || folders.length > MOST_FOLDERS) return [...folders, undefined];
  const next = folders.map((folder) => {
    const { path, within } = placed({ text, kind: "itself" }, folder, options);
    return within === undefined ? path : undefined;
  });
  return [...new Set([...folders, ...next])];
}
