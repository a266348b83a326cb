import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { FileLedger } from "../file-ledger.ts";
import { ToolError, textResult, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath, resolveToolPath } from "../tool-path.ts";
import { WRITE_DESCRIPTION } from "./description.ts";

const parameters = Type.Object({
  path: Type.String({ description: "File to write, relative to the working directory or absolute" }),
  content: Type.String({ description: "The whole new content" }),
});

export interface WriteDetails {
  /** UTF-8 bytes written. */
  readonly bytes: number;
  readonly created: boolean;
}

/** Writes whole files, atomically. */
export function createWriteTool(options: ToolOptions): AgentTool<typeof parameters, WriteDetails> {
  const { cwd, environment } = options;
  const { files } = environment;
  const ledger = options.ledger ?? new FileLedger(files);
  return {
    name: "write",
    label: "Write",
    description: WRITE_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal) {
      const path = resolveToolPath(params.path, cwd);
      const shownPath = displayPath(path, cwd);
      const data = new TextEncoder().encode(params.content);
      try {
        return await ledger.queue.run(path, async (realPath) => {
          signal.throwIfAborted();
          const before = await files.stat(realPath).catch(() => undefined);
          if (before?.kind === "directory") throw new ToolError(`${shownPath} is a directory.`);
          if (before !== undefined && ledger.hasChanged(realPath, before)) {
            throw new ToolError(`${shownPath} has changed since it was last read. Read it again first.`);
          }
          await files.writeFile(realPath, data);
          ledger.remember(realPath, await files.stat(realPath));
          const verb = before === undefined ? "Created" : "Replaced";
          return textResult(`${verb} ${shownPath} (${data.length} bytes).`, {
            bytes: data.length,
            created: before === undefined,
          });
        });
      } catch (error) {
        throw toToolError(error, shownPath);
      }
    },
  };
}
