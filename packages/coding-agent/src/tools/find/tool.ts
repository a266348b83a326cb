import { matchesGlob } from "node:path";
import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { walkFiles } from "../search-files.ts";
import { textResult, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath, resolveToolPath } from "../tool-path.ts";
import { FIND_DESCRIPTION } from "./description.ts";

const DEFAULT_LIMIT = 1000;

const parameters = Type.Object({
  pattern: Type.String({ description: "Glob, relative to path" }),
  path: Type.Optional(Type.String({ description: "Directory; default: the working directory" })),
  limit: Type.Optional(Type.Integer({ description: `Results at most; default ${DEFAULT_LIMIT}` })),
});

export interface FindDetails {
  /** Set when more files match than were shown. */
  readonly resultLimitReached?: number;
}

/** Finds files by name. */
export function createFindTool(options: ToolOptions): AgentTool<typeof parameters, FindDetails> {
  const { cwd, environment } = options;
  return {
    name: "find",
    label: "Find",
    description: FIND_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal) {
      const root = resolveToolPath(params.path ?? ".", cwd);
      const pattern = params.pattern.includes("/")
        ? params.pattern.replace(/^\.\//, "")
        : `**/${params.pattern}`;
      try {
        const all = await walkFiles(root, environment.files, signal);
        const found = all.filter((path) => matchesGlob(path, pattern));
        if (found.length === 0) return textResult("No files found.", {});
        const limit = Math.max(1, params.limit ?? DEFAULT_LIMIT);
        const shown = found.slice(0, limit).map((path) => displayPath(`${root}/${path}`, cwd));
        if (found.length <= limit) return textResult(shown.join("\n"), {});
        return textResult(`${shown.join("\n")}\n[More files match; ${limit} shown.]`, {
          resultLimitReached: limit,
        });
      } catch (error) {
        throw toToolError(error, displayPath(root, cwd));
      }
    },
  };
}
