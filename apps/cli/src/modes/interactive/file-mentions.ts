import type { RunRipgrep } from "@coppice/coding-agent";
import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import fuzzysort from "fuzzysort";

/** More are not looked through while a person types. */
const MAX_FILES = 50_000;
const MAX_SHOWN = 20;

/** A list of files stays good for this long: a menu is used for seconds. */
const FRESH_MS = 3_000;

/** The word that is being written: `@` and the beginning of a path, at the start or after a blank. */
const MENTION = /(?:^|[\s(])(@[^\s@"]*)$/;

/** Names that no line of a terminal can show as they are. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

export interface FileMentionsOptions {
  /** Completes everything else, and puts choices into the text. */
  readonly base: AutocompleteProvider;
  /** Relative paths with `/`. */
  readonly listFiles: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Completes `@` with the files of the project, wherever in the path the letters are. */
export class FileMentions implements AutocompleteProvider {
  readonly #options: FileMentionsOptions;
  #listed: { readonly atMs: number; readonly paths: readonly string[] } | undefined;

  constructor(options: FileMentionsOptions) {
    this.#options = options;
  }

  async getSuggestions(
    ...[lines, cursorLine, cursorCol, options]: Parameters<AutocompleteProvider["getSuggestions"]>
  ): ReturnType<AutocompleteProvider["getSuggestions"]> {
    const mention = MENTION.exec((lines[cursorLine] ?? "").slice(0, cursorCol))?.[1];
    if (mention === undefined) {
      return this.#options.base.getSuggestions(lines, cursorLine, cursorCol, options);
    }
    const found = matchingPaths(await this.#files(options.signal), mention.slice(1));
    if (found.length === 0 || options.signal.aborted) return null;
    return { items: found.map(itemOf), prefix: mention };
  }

  applyCompletion(...place: Parameters<AutocompleteProvider["applyCompletion"]>) {
    return this.#options.base.applyCompletion(...place);
  }

  shouldTriggerFileCompletion(
    ...place: Parameters<NonNullable<AutocompleteProvider["shouldTriggerFileCompletion"]>>
  ): boolean {
    return this.#options.base.shouldTriggerFileCompletion?.(...place) ?? true;
  }

  async #files(signal: AbortSignal): Promise<readonly string[]> {
    const { listFiles, now } = this.#options;
    if (this.#listed !== undefined && now() - this.#listed.atMs < FRESH_MS) return this.#listed.paths;
    const paths = await listFiles(signal);
    // A list that was given up is not whole.
    if (!signal.aborted) this.#listed = { atMs: now(), paths };
    return paths;
  }
}

/** The best matches first; without letters the paths nearest to the top. */
export function matchingPaths(paths: readonly string[], letters: string): readonly string[] {
  if (letters !== "") return fuzzysort.go(letters, paths, { limit: MAX_SHOWN }).map(({ target }) => target);
  const depth = (path: string) => path.split("/").length;
  return paths.toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, MAX_SHOWN);
}

function itemOf(path: string) {
  const value = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  return { value, label: path.slice(path.lastIndexOf("/") + 1), description: path };
}

/** Lists the files below a directory, those that git ignores left out; none where there is no ripgrep. */
export function projectFiles(ripgrep: RunRipgrep | undefined, cwd: string): FileMentionsOptions["listFiles"] {
  return async (signal) => {
    const paths: string[] = [];
    const onLine = (line: string) => {
      const path = line.replaceAll("\\", "/");
      if (!UNSHOWABLE.test(path)) paths.push(path);
      return paths.length < MAX_FILES;
    };
    const args = ["--files", "--hidden", "--glob", "!.git", "--no-messages"];
    // A completion that cannot be made is no failure to tell.
    await ripgrep?.(args, { cwd, signal, onLine }).catch(() => {});
    return paths;
  };
}
