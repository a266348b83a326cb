import { basename, join } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import type { PermissionRule } from "./permission-rule.ts";

/** Files of the user's folder that decide what an agent may do, or that it would run. */
const OWN_FILES = ["auth.json", "trust.json", "settings.json", "models.json", "mcp.json"];

/** Folders of the user's that only the user, or the program itself, writes to. */
const OWN_FOLDERS = [
  { name: "extensions", why: "The user's extensions are changed by the user only." },
  { name: "snapshots", why: "Versions of files are kept by the program itself." },
  { name: "redactions", why: "What was taken out of sessions is kept by the program itself." },
] as const;

/** Tools that may change a file, and that may show what is in one; commands are judged by the files that they name. */
const CHANGING = /^(?!(?:bash|read|grep|find|ls|recall)$)/;
const SHOWING = /^(?!(?:bash|find|ls)$)/;

/**
 * Rules that no setting lifts: the keys in `userDirectory` are not read, and the files that rule the agent itself are
 * not changed by it.
 *
 * `aliases` are further paths of the same files, as where a link of that name leads.
 */
export function protectedFileRules(
  userDirectory: string,
  aliases: Readonly<Record<string, string>> = {},
): readonly PermissionRule[] {
  const home = basename(userDirectory);
  const files = OWN_FILES.flatMap((name) => {
    const own = join(userDirectory, name);
    const alias = aliases[name] ?? own;
    return [...new Set([own, alias])].flatMap((path) => rulesOfFile(name, path, home));
  });
  return [
    ...files,
    ...OWN_FOLDERS.map(({ name, why }) =>
      fixedRule(join(userDirectory, name), CHANGING, why, { marks: [home], below: true }),
    ),
    fixedRule(
      join(userDirectory, "redactions"),
      SHOWING,
      "This folder holds what was taken out of sessions.",
      {
        ...{ marks: [home], below: true },
      },
    ),
    // As a whole the folder holds the keys.
    fixedRule(userDirectory, SHOWING, "This folder holds the user's keys.", { marks: [home] }),
  ];
}

function rulesOfFile(name: string, path: string, home: string): readonly PermissionRule[] {
  const changed = fixedRule(path, CHANGING, `The user's ${name} is changed by the user only.`, {
    marks: [home],
  });
  if (name !== "auth.json") return [changed];
  return [changed, fixedRule(path, SHOWING, "auth.json holds the user's keys.", { marks: [home, name] })];
}

function fixedRule(
  path: string,
  tool: RegExp,
  why: string,
  { marks, below = false }: { readonly marks: readonly string[]; readonly below?: boolean },
): PermissionRule {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Some disks take no notice of case.
  const expression = new RegExp(`^${literal}${below ? "(?:/.*)?" : ""}$`, "is");
  return {
    ...{ text: path, tool, pattern: path, folder: path, why, marks },
    path: (other) => expression.test(other),
  };
}

/** Where the links of a user's folder and of the files in it lead. */
export async function aliasesOf(
  userDirectory: string,
  files: Pick<FileSystem, "realPath">,
): Promise<{ readonly folder: string; readonly files: Readonly<Record<string, string>> }> {
  const real = (path: string) => files.realPath(path).catch(() => path);
  const targets = await Promise.all(OWN_FILES.map((name) => real(join(userDirectory, name))));
  return {
    folder: await real(userDirectory),
    files: Object.fromEntries(OWN_FILES.map((name, index) => [name, targets[index] ?? name])),
  };
}
