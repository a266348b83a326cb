import { dirname, isAbsolute, resolve } from "node:path";
import { wholePathGlob } from "../tools/search/glob.ts";

/** A rule as users write it: `tool` or `tool(pattern)`, `*` in either. */
export interface PermissionRule {
  readonly text: string;
  readonly tool: RegExp;
  /** Absent = every call of the tool. */
  readonly pattern: string | undefined;
  /** The pattern as one of paths. */
  readonly path: ((path: string) => boolean) | undefined;
  /** Absolute folder (or file) below which all lies that the pattern speaks of; undefined = anywhere. */
  readonly folder: string | undefined;
  /** Of a rule that is not the user's: why it is there, as a sentence. */
  readonly why?: string;
  /** Of a rule that is not the user's: words of which one stands in every text that speaks of its files. */
  readonly marks?: readonly string[];
}

/** Where relative patterns and `~/` lead. */
export interface RulePlaces {
  /** Absolute. */
  readonly cwd?: string | undefined;
  readonly homeDirectory?: string | undefined;
}

/** Undefined for a text that is no rule. */
export function parsePermissionRule(text: string, places: RulePlaces = {}): PermissionRule | undefined {
  const match = /^([\w*.-]+)(?:\((.*)\))?$/s.exec(text.trim());
  if (match === null) return undefined;
  const [, tool = "", inner] = match;
  const pattern = inner?.trim();
  const { cwd, homeDirectory } = places;
  const path = homeDirectory === undefined ? pattern : pattern?.replace(/^~(?=\/)/, () => homeDirectory);
  const literal = /^[^*?]*/.exec(path ?? "")?.[0] ?? "";
  const start = literal === path ? literal : dirname(`${literal}x`);
  const isKnown = path !== undefined && (isAbsolute(start) || cwd !== undefined);
  return {
    ...{ text: text.trim(), tool: wildcard(tool), pattern },
    path: path === undefined ? undefined : pathGlob(path),
    folder: isKnown ? resolve(cwd ?? "/", start) : undefined,
  };
}

/** Whether a rule speaks of a command: `*` stands for anything, ` *` at the end also for nothing. */
export function matchesCommand(rule: PermissionRule, words: readonly string[]): boolean {
  const { pattern } = rule;
  if (pattern === undefined) return true;
  const line = words.join(" ");
  return (
    matchesWildcard(pattern, line) || (pattern.endsWith(" *") && matchesWildcard(pattern.slice(0, -2), line))
  );
}

/** Whether a rule speaks of a path: `*` stays within a folder, `**` goes deeper. */
export function matchesPath({ path }: PermissionRule, paths: readonly string[]): boolean {
  return path === undefined || paths.some((one) => path(one));
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split(/\*+/).map(escaped).join(".*")}$`, "s");
}

/** `*` stands for anything. In time that grows with the text alone, whatever the pattern (fault kind PF-06). */
function matchesWildcard(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Only stars and question marks are special in a rule: a file may be called `[a].ts` or `{b}.ts`. */
function pathGlob(pattern: string): (path: string) => boolean {
  return wholePathGlob(pattern.replaceAll(/[[\]{}\\]/g, "\\$&"));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
