import type { AgentTool } from "@coppice/agent";
import { createTwoFilesPatch } from "diff";
import { type Static, Type } from "typebox";
import { FileLedger } from "../file-ledger.ts";
import { ToolError, textResult, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath, resolveToolPath } from "../tool-path.ts";
import { EDIT_DESCRIPTION } from "./description.ts";

const parameters = Type.Object({
  path: Type.String({ description: "File to change, relative to the working directory or absolute" }),
  edits: Type.Array(
    Type.Object({
      oldText: Type.String({ description: "Text to replace; must occur exactly once" }),
      newText: Type.String({ description: "What to put there" }),
    }),
    { minItems: 1 },
  ),
});

type Edit = Static<typeof parameters>["edits"][number];

export interface EditDetails {
  readonly diff: string;
  readonly patch: string;
  readonly firstChangedLine?: number;
}

/** Replaces unique pieces of a text file. */
export function createEditTool(options: ToolOptions): AgentTool<typeof parameters, EditDetails> {
  const { cwd, environment } = options;
  const { files } = environment;
  const ledger = options.ledger ?? new FileLedger(files);
  return {
    name: "edit",
    label: "Edit",
    description: EDIT_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal) {
      const path = resolveToolPath(params.path, cwd);
      const shownPath = displayPath(path, cwd);
      try {
        return await ledger.queue.run(path, async (realPath) => {
          signal.throwIfAborted();
          const info = await files.stat(realPath);
          if (info.kind !== "file") throw new ToolError(`${shownPath} is not a regular file.`);
          if (ledger.hasChanged(realPath, info)) {
            throw new ToolError(`${shownPath} has changed since it was last read. Read it again first.`);
          }
          const before = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
            await files.readFile(realPath),
          );
          const after = replaceAll(before, params.edits, shownPath);
          const patch = createTwoFilesPatch(shownPath, shownPath, before, after);
          await files.writeFile(realPath, new TextEncoder().encode(after));
          ledger.remember(realPath, await files.stat(realPath));
          const count = params.edits.length;
          return textResult(`Changed ${shownPath} (${count} ${count === 1 ? "edit" : "edits"}).`, {
            diff: patch,
            patch,
          });
        });
      } catch (error) {
        throw toToolError(error, shownPath);
      }
    },
  };
}

function replaceAll(text: string, edits: readonly Edit[], shownPath: string): string {
  const spans = edits.map(({ oldText, newText }, index) => {
    const start = oldText === "" ? -1 : text.indexOf(oldText);
    if (start === -1) throw new ToolError(`Edit ${index + 1}: oldText is not in ${shownPath}.`);
    if (text.indexOf(oldText, start + 1) !== -1) {
      throw new ToolError(`Edit ${index + 1}: oldText occurs more than once in ${shownPath}.`);
    }
    return { start, end: start + oldText.length, newText };
  });
  spans.sort((a, b) => a.start - b.start);
  let after = "";
  let position = 0;
  for (const span of spans) {
    if (span.start < position) throw new ToolError("The edits overlap.");
    after += text.slice(position, span.start) + span.newText;
    position = span.end;
  }
  return after + text.slice(position);
}
