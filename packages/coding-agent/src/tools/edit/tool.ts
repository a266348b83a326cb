import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { formatBytes } from "../../text/byte-count.ts";
import { diffTexts, type TextDiff } from "../../text/diff.ts";
import { decodeLossless, detectEncoding, encodeLossless } from "../../text/encoding.ts";
import { FileLedger, hashOf } from "../file-ledger.ts";
import { ToolError, textResult } from "../tool-error.ts";
import { onToolFile, type ToolFile } from "../tool-file.ts";
import type { ToolOptions } from "../tool-options.ts";
import { applyEdits } from "./apply-edits.ts";
import { EDIT_DESCRIPTION } from "./description.ts";
import { editsOf } from "./prepare-edits.ts";
import type { Replacement } from "./rewrite.ts";

/** Larger files are edited by commands; here the whole file is in memory several times. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

const parameters = Type.Object({
  path: Type.String({ description: "File to change, relative to the working directory or absolute" }),
  // Optional only for calls in the older shape, with oldText and newText at the top.
  edits: Type.Optional(
    Type.Array(
      Type.Object({
        oldText: Type.String({ description: "Text to replace; must occur exactly once in the file" }),
        newText: Type.String({ description: "What to put in its place" }),
      }),
      { description: "Replacements, at least one" },
    ),
  ),
});

export type EditParameters = Static<typeof parameters>;

export type EditDetails = TextDiff;

/** Replaces unique pieces of a text file; everything else in the file keeps its bytes. */
export function createEditTool(options: ToolOptions): AgentTool<typeof parameters, EditDetails> {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return {
    name: "edit",
    label: "Edit",
    description: EDIT_DESCRIPTION,
    parameters,
    execute(toolCallId, params: EditParameters, signal) {
      const access = { writeOf: toolCallId };
      return onToolFile({ path: params.path, access, signal, ledger, options }, async (file) =>
        editFile({ ...file, edits: editsOf(params), ledger, options }),
      );
    },
  };
}

interface EditRequest extends ToolFile {
  readonly edits: readonly Replacement[];
  readonly ledger: FileLedger;
  readonly options: ToolOptions;
}

async function editFile({ realPath, shownPath, edits, ledger, options }: EditRequest) {
  const { files } = options.environment;
  const info = await files.stat(realPath);
  if (info.kind === "directory") throw new ToolError(`${shownPath} is a directory.`);
  if (info.kind !== "file") throw new ToolError(`${shownPath} is a device, pipe or socket, not a file.`);
  if (info.sizeBytes > MAX_FILE_BYTES) {
    throw new ToolError(`${shownPath} is too large to edit (${formatBytes(info.sizeBytes)}). Use a command.`);
  }
  const data = await files.readFile(realPath);
  if (ledger.hasChanged(realPath, info, data)) {
    throw new ToolError(`${shownPath} has changed since it was last read. Read it again, then edit.`);
  }
  const encoding = detectEncoding(data);
  const before = encoding === undefined ? undefined : decodeLossless(data, encoding);
  if (encoding === undefined || before === undefined) throw new ToolError(`${shownPath} is a binary file.`);
  const { text, approximate } = applyEdits(before, edits, shownPath);
  // Computed before anything is written: it must not fail afterwards.
  const details = diffTexts(shownPath, before.toWellFormed(), text.toWellFormed());
  const changed = encodeLossless(text, encoding);
  await files.writeFile(realPath, changed);
  ledger.remember(realPath, await files.stat(realPath), hashOf(changed));
  return textResult(summary(shownPath, edits.length, approximate), details);
}

function summary(shownPath: string, count: number, approximate: readonly number[]): string {
  const done = `Changed ${shownPath} (${count} ${count === 1 ? "edit" : "edits"}).`;
  if (approximate.length === 0) return done;
  return `${done} Matched only after forgiving quotes, dashes or spaces: edit ${approximate.join(", ")}.`;
}
