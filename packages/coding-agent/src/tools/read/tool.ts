import type { AgentTool, ToolResult } from "@coppice/agent";
import { type Static, Type } from "typebox";
import type { FileInfo } from "../../env/environment.ts";
import { formatBytes } from "../../text/byte-count.ts";
import { countOf } from "../../text/count.ts";
import { detectEncoding, SNIFF_BYTES } from "../../text/encoding.ts";
import { detectImageType } from "../../text/image-type.ts";
import type { Truncation } from "../../text/truncate.ts";
import { FileLedger } from "../file-ledger.ts";
import { ToolError, textResult } from "../tool-error.ts";
import { onToolFile, type ToolFile } from "../tool-file.ts";
import { MAX_OUTPUT_LINES, OUTPUT_LIMITS, type ToolOptions } from "../tool-options.ts";
import { READ_DESCRIPTION } from "./description.ts";
import { readImage } from "./read-image.ts";
import { type ReadText, readText } from "./read-text.ts";

const parameters = Type.Object({
  path: Type.String({ description: "File to read, relative to the working directory or absolute" }),
  offset: Type.Optional(Type.Integer({ description: "First line to show, from 1" })),
  limit: Type.Optional(Type.Integer({ description: "Lines to show at most" })),
  byteOffset: Type.Optional(
    Type.Integer({ description: "Byte to start at instead of a line, as a notice named it" }),
  ),
});

export type ReadParameters = Static<typeof parameters>;

export interface ReadDetails {
  readonly truncation?: Truncation;
}

interface FoundFile extends ToolFile {
  readonly info: FileInfo;
}

/** Reads text files by lines, and images. */
export function createReadTool(options: ToolOptions): AgentTool<typeof parameters, ReadDetails> {
  const { files } = options.environment;
  const ledger = options.ledger ?? new FileLedger(files);
  const read = async (found: FoundFile, params: ReadParameters, signal: AbortSignal) => {
    const { realPath: path, shownPath, info } = found;
    requireFile(found);
    requireWindow(params);
    const head = await files.readRange(path, 0, SNIFF_BYTES);
    if (detectImageType(head) !== undefined) {
      return readImage({ path, shownPath, info, files, signal, limits: options.imageLimits?.() });
    }
    const encoding = detectEncoding(head);
    if (encoding === undefined) throw binaryError(found);
    const text = await readText({
      path,
      files,
      encoding,
      start: params.byteOffset === undefined ? { line: firstLineOf(params) } : { byte: params.byteOffset },
      limits: {
        ...OUTPUT_LIMITS,
        maxLines: maxLinesOf(params),
      },
      signal,
    });
    if (text.bytes.includes(0) && encoding.name === "utf-8") throw binaryError(found);
    ledger.remember(path, info, text.hash);
    return present(text, params, { shownPath, info });
  };
  return {
    name: "read",
    label: "Read",
    description: READ_DESCRIPTION,
    parameters,
    execute(_toolCallId, params: ReadParameters, signal) {
      return onToolFile({ path: params.path, access: "read", signal, ledger, options }, async (file) =>
        read({ ...file, info: await files.stat(file.realPath) }, params, signal),
      );
    },
  };
}

/** Counting from the end, or nothing, is not what an answer from the start would give. */
function requireWindow({ offset, limit, byteOffset }: ReadParameters): void {
  if (offset !== undefined && offset < 0) throw new ToolError(`offset is a line from 1 on, not ${offset}.`);
  if (limit !== undefined && limit < 1) throw new ToolError(`limit is at least 1, not ${limit}.`);
  if (byteOffset !== undefined && byteOffset < 0)
    throw new ToolError(`byteOffset is a byte from 0 on, not ${byteOffset}.`);
}

function firstLineOf(params: ReadParameters): number {
  return Math.max(1, params.offset ?? 1);
}

function maxLinesOf(params: ReadParameters): number {
  return Math.min(params.limit ?? MAX_OUTPUT_LINES, MAX_OUTPUT_LINES);
}

/** Devices, pipes and sockets are refused before any I/O: reading them may never end. */
function requireFile({ shownPath, info }: FoundFile): void {
  if (info.kind === "directory") throw new ToolError(`${shownPath} is a directory. Use ls to list it.`);
  if (info.kind !== "file") throw new ToolError(`${shownPath} is a device, pipe or socket, not a file.`);
}

function binaryError({ shownPath, info }: FoundFile): ToolError {
  return new ToolError(
    `${shownPath} is a binary file (${formatBytes(info.sizeBytes)}) and cannot be shown as text.`,
  );
}

/** The text with notices in brackets after it. */
function present(
  picked: ReadText,
  params: ReadParameters,
  { shownPath, info }: Pick<FoundFile, "shownPath" | "info">,
): ToolResult<ReadDetails> {
  if (picked.bytes.length === 0) return nothingToShow(picked, params, shownPath);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(picked.bytes);
  const notices = [brokenBytesNotice(picked.bytes, text), continueNotice(picked, params, info)].filter(
    (notice) => notice !== undefined,
  );
  if (notices.length === 0) return textResult(text, {});
  const body = `${text}${text.endsWith("\n") ? "" : "\n"}\n${notices.join("\n")}`;
  return textResult(
    body,
    picked.nextByte === undefined ? {} : { truncation: truncationOf(picked, params, info) },
  );
}

function nothingToShow(picked: ReadText, params: ReadParameters, shownPath: string): ToolResult<ReadDetails> {
  if (picked.seenBytes === 0 && params.byteOffset === undefined && firstLineOf(params) === 1) {
    return textResult(`(${shownPath} is empty)`, {});
  }
  if (params.byteOffset !== undefined) {
    throw new ToolError(`byteOffset ${params.byteOffset} is at or past the end of ${shownPath}.`);
  }
  throw new ToolError(
    `Offset ${firstLineOf(params)} is past the end: ${shownPath} has ${countOf(picked.seenLines, "line")}.`,
  );
}

function brokenBytesNotice(bytes: Uint8Array, text: string): string | undefined {
  if (!text.includes("\ufffd") || Buffer.from(text, "utf8").equals(bytes)) return undefined;
  return "[Some bytes are not valid UTF-8 and are shown as \ufffd.]";
}

function continueNotice(picked: ReadText, params: ReadParameters, info: FileInfo): string | undefined {
  if (picked.nextByte === undefined) return undefined;
  const { nextByte } = picked;
  if (params.byteOffset !== undefined || picked.isCutInLine) {
    const from = nextByte - picked.bytes.length;
    const line = params.byteOffset === undefined ? ` of line ${firstLineOf(params)}` : "";
    const size = `the file has ${countOf(info.sizeBytes, "byte")}`;
    return `[Bytes ${from}-${nextByte - 1}${line} shown; ${size}. Use byteOffset=${nextByte} to continue.]`;
  }
  const first = firstLineOf(params);
  const last = first + picked.lines - 1;
  const total = picked.isCounted ? `${picked.seenLines}` : `a file of ${formatBytes(info.sizeBytes)}`;
  return `[Lines ${first}-${last} of ${total} shown. Use offset=${last + 1} to continue.]`;
}

function truncationOf(picked: ReadText, params: ReadParameters, info: FileInfo): Truncation {
  return {
    truncated: true,
    truncatedBy: picked.lines === maxLinesOf(params) && !picked.isCutInLine ? "lines" : "bytes",
    ...(picked.isCounted && params.byteOffset === undefined ? { totalLines: picked.seenLines } : {}),
    totalBytes: info.sizeBytes,
    outputLines: picked.lines,
    outputBytes: picked.bytes.length,
    lastLinePartial: picked.isCutInLine,
    ...OUTPUT_LIMITS,
  };
}
