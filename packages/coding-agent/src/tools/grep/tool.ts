import { matchesGlob } from "node:path";
import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { walkFiles } from "../search-files.ts";
import { textResult, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath, resolveToolPath } from "../tool-path.ts";
import { GREP_DESCRIPTION } from "./description.ts";

const DEFAULT_LIMIT = 100;
const MAX_LINE_CHARACTERS = 500;

const parameters = Type.Object({
  pattern: Type.String({ description: "Regular expression, or text with literal" }),
  path: Type.Optional(Type.String({ description: "File or directory; default: the working directory" })),
  glob: Type.Optional(Type.String({ description: "Only files that match, relative to path, e.g. *.ts" })),
  ignoreCase: Type.Optional(Type.Boolean()),
  literal: Type.Optional(Type.Boolean({ description: "Take the pattern as plain text" })),
  limit: Type.Optional(Type.Integer({ description: `Matches at most; default ${DEFAULT_LIMIT}` })),
});

export interface GrepDetails {
  /** Set when more lines match than were shown. */
  readonly matchLimitReached?: number;
}

/** Searches file contents. */
export function createGrepTool(options: ToolOptions): AgentTool<typeof parameters, GrepDetails> {
  const { cwd, environment } = options;
  const { files } = environment;
  return {
    name: "grep",
    label: "Grep",
    description: GREP_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal) {
      const root = resolveToolPath(params.path ?? ".", cwd);
      const source = params.literal ? params.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : params.pattern;
      const expression = new RegExp(source, params.ignoreCase ? "iu" : "u");
      const limit = Math.max(1, params.limit ?? DEFAULT_LIMIT);
      const shown: string[] = [];
      try {
        const isFile = (await files.stat(root)).kind === "file";
        const paths = isFile
          ? [root]
          : (await walkFiles(root, files, signal)).map((path) => `${root}/${path}`);
        for (const path of paths) {
          const glob = params.glob?.includes("/") ? params.glob : `**/${params.glob}`;
          if (params.glob !== undefined && !matchesGlob(path.slice(root.length + 1), glob)) continue;
          const data = await files.readFile(path);
          if (data.includes(0)) continue;
          for (const [index, line] of new TextDecoder().decode(data).split("\n").entries()) {
            if (!expression.test(line)) continue;
            if (shown.length === limit) {
              return textResult(`${shown.join("\n")}\n[More lines match; ${limit} shown.]`, {
                matchLimitReached: limit,
              });
            }
            shown.push(`${displayPath(path, cwd)}:${index + 1}:${line.slice(0, MAX_LINE_CHARACTERS)}`);
          }
        }
      } catch (error) {
        throw toToolError(error, displayPath(root, cwd));
      }
      return textResult(shown.length === 0 ? "No matches." : shown.join("\n"), {});
    },
  };
}
