import type { SessionDiagnostic } from "@coppice/session";
import { withoutFullStop } from "./render/sentence.ts";

/** Codes that cost the content of a line. */
const DAMAGED = new Set<SessionDiagnostic["code"]>(["unreadable_line", "fused_line"]);

/** What everybody may meet in an old or copied file, and nobody has to act on. */
const HARMLESS = new Set<SessionDiagnostic["code"]>(["migrated"]);

/** Damaged lines of one file. */
export interface DamagedFile {
  readonly path: string;
  readonly lines: number;
  /** Where the first of them starts. */
  readonly byteOffset: number | undefined;
}

/** What a person should know about the state of a session file, one line for the damage and one for the rest. */
export function damageNotices(path: string, diagnostics: readonly SessionDiagnostic[]): readonly string[] {
  const damaged = diagnostics.filter(({ code }) => DAMAGED.has(code));
  const others = diagnostics.filter(({ code }) => !DAMAGED.has(code) && !HARMLESS.has(code));
  const [first] = others;
  return [
    ...(damaged.length === 0
      ? []
      : [damageText({ path, lines: damaged.length, byteOffset: leastOffset(damaged) })]),
    ...(first === undefined
      ? []
      : [
          `the session is not whole: ${withoutFullStop(first.message)}${others.length > 1 ? `, and ${others.length - 1} more` : ""}; ${advice(path)}`,
        ]),
  ];
}

/** One line: how much was skipped, where it begins, and what to do. */
export function damageText({ path, lines, byteOffset }: DamagedFile): string {
  const what = lines === 1 ? "1 damaged line was skipped" : `${lines} damaged lines were skipped`;
  const where =
    byteOffset === undefined
      ? ""
      : lines === 1
        ? ` at byte ${byteOffset}`
        : `, the first at byte ${byteOffset}`;
  return `${what}${where} of the session file; ${advice(path)}`;
}

function advice(path: string): string {
  return `see \`coppice sessions doctor ${path}\``;
}

function leastOffset(diagnostics: readonly SessionDiagnostic[]): number | undefined {
  const offsets = diagnostics.flatMap(({ byteOffset }) => (byteOffset === undefined ? [] : [byteOffset]));
  return offsets.length === 0 ? undefined : Math.min(...offsets);
}
