import { isAbsolute, resolve } from "node:path";

export interface WrittenPathOptions {
  /** Absolute; where relative paths begin. */
  readonly base: string;
  /** What a leading `~` stands for; absent: nothing. */
  readonly homeDirectory?: string | undefined;
}

/** The absolute path that somebody wrote down. */
export function resolveWrittenPath(path: string, { base, homeDirectory }: WrittenPathOptions): string {
  if (homeDirectory === undefined || isAbsolute(path)) return resolve(base, path);
  return resolve(
    base,
    path.replace(/^~(?=$|[/\\])/, () => homeDirectory),
  );
}
