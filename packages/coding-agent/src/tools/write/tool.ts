import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { countOf } from "../../text/count.ts";
import { diffTexts, type TextDiff } from "../../text/diff.ts";
import { decodeLossless, detectEncoding } from "../../text/encoding.ts";
import { FileLedger, hashOf } from "../file-ledger.ts";
import { statOrUndefined } from "../stat-or-undefined.ts";
import { ToolError, textResult } from "../tool-error.ts";
import { onToolFile, type ToolFile } from "../tool-file.ts";
import type { ToolOptions } from "../tool-options.ts";
import { WRITE_DESCRIPTION } from "./description.ts";

/** Larger files are replaced without a look at what was in them. */
const MAX_COMPARED_BYTES = 10 * 1024 * 1024;

const parameters = Type.Object({
  path: Type.String({ description: "File to write, relative to the working directory or absolute" }),
  content: Type.String({ description: "The whole new content" }),
});

export type WriteParameters = Static<typeof parameters>;

export interface WriteDetails extends Partial<TextDiff> {
  /** UTF-8 bytes written. */
  readonly bytes: number;
  readonly created: boolean;
}

/** Writes whole files, atomically. */
export function createWriteTool(options: ToolOptions): AgentTool<typeof parameters, WriteDetails> {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return {
    name: "write",
    label: "Write",
    description: WRITE_DESCRIPTION,
    parameters,
    execute(toolCallId, { path, content }: WriteParameters, signal) {
      return onToolFile({ path, access: { writeOf: toolCallId }, signal, ledger, options }, (file) =>
        writeFile({ ...file, content, ledger, options }),
      );
    },
  };
}

interface WriteRequest extends ToolFile {
  readonly content: string;
  readonly ledger: FileLedger;
  readonly options: ToolOptions;
}

async function writeFile({ realPath, shownPath, content, ledger, options }: WriteRequest) {
  const { files } = options.environment;
  const info = await statOrUndefined(realPath, files);
  if (info?.kind === "directory") throw new ToolError(`${shownPath} is a directory.`);
  if (info !== undefined && info.kind !== "file") throw new ToolError(`${shownPath} is not a regular file.`);
  const isCompared = info !== undefined && info.sizeBytes <= MAX_COMPARED_BYTES;
  const before = isCompared ? await files.readFile(realPath) : undefined;
  if (info !== undefined && ledger.hasChanged(realPath, info, before)) {
    throw new ToolError(
      `${shownPath} has changed since it was last read. Read it again before replacing it.`,
    );
  }
  const data = new TextEncoder().encode(content);
  const diff = info === undefined || isCompared ? diffOf(shownPath, before ?? new Uint8Array(), content) : {};
  await files.writeFile(realPath, data);
  ledger.remember(realPath, await files.stat(realPath), hashOf(data));
  const verb = info === undefined ? "Created" : "Replaced";
  return textResult(`${verb} ${shownPath} (${countOf(data.length, "byte")}).`, {
    bytes: data.length,
    created: info === undefined,
    ...diff,
  });
}

/** Nothing for binary content. */
function diffOf(shownPath: string, before: Uint8Array, content: string): Partial<TextDiff> {
  const encoding = detectEncoding(before);
  const text = encoding === undefined ? undefined : decodeLossless(before, encoding);
  return text === undefined ? {} : diffTexts(shownPath, text.toWellFormed(), content.toWellFormed());
}
