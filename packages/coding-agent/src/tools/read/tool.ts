import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { FileLedger } from "../file-ledger.ts";
import { ToolError, textResult, toToolError } from "../tool-error.ts";
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, type ToolOptions } from "../tool-options.ts";
import { displayPath, resolveToolPath } from "../tool-path.ts";
import { READ_DESCRIPTION } from "./description.ts";

const parameters = Type.Object({
  path: Type.String({ description: "File to read, relative to the working directory or absolute" }),
  offset: Type.Optional(Type.Integer({ description: "First line to show, from 1" })),
  limit: Type.Optional(Type.Integer({ description: "Lines to show at most" })),
});

export interface ReadDetails {
  readonly truncation?: { readonly outputLines: number; readonly totalLines: number };
}

/** Reads text files by lines. */
export function createReadTool(options: ToolOptions): AgentTool<typeof parameters, ReadDetails> {
  const { cwd, environment } = options;
  const { files } = environment;
  const ledger = options.ledger ?? new FileLedger(files);
  return {
    name: "read",
    label: "Read",
    description: READ_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal) {
      const path = resolveToolPath(params.path, cwd);
      const shownPath = displayPath(path, cwd);
      try {
        return await ledger.queue.run(path, async (realPath) => {
          signal.throwIfAborted();
          const info = await files.stat(realPath);
          if (info.kind === "directory") throw new ToolError(`${shownPath} is a directory. Use ls.`);
          if (info.kind !== "file") throw new ToolError(`${shownPath} is not a regular file.`);
          const text = new TextDecoder().decode(await files.readFile(realPath));
          ledger.remember(realPath, info);
          return show(text, params);
        });
      } catch (error) {
        throw toToolError(error, shownPath);
      }
    },
  };
}

function show(text: string, params: Static<typeof parameters>) {
  if (text === "") return textResult("(empty file)", {});
  const lines = text.split(/(?<=\n)/);
  const first = Math.max(1, params.offset ?? 1);
  if (first > lines.length) {
    throw new ToolError(`Offset ${first} is past the end: the file has ${lines.length} lines.`);
  }
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(
    first - 1,
    first - 1 + Math.min(params.limit ?? Infinity, MAX_OUTPUT_LINES),
  )) {
    bytes += Buffer.byteLength(line);
    if (bytes > MAX_OUTPUT_BYTES && shown.length > 0) break;
    shown.push(line);
  }
  const last = first + shown.length - 1;
  if (last >= lines.length) return textResult(shown.join(""), {});
  const notice = `\n[Lines ${first}-${last} of ${lines.length}. Use offset=${last + 1} to continue.]`;
  return textResult(shown.join("") + notice, {
    truncation: { outputLines: shown.length, totalLines: lines.length },
  });
}
