import type { ToolResult } from "@coppice/agent";
import type { FileInfo, FileSystem } from "../../env/environment.ts";
import { formatBytes } from "../../text/byte-count.ts";
import { checkImage } from "../../text/image-size.ts";
import { ToolError } from "../tool-error.ts";

/** Providers refuse larger images; the limit holds for the base64 text that is sent (Anthropic vision guide, 2025). */
const MAX_BASE64_BYTES = 5 * 1024 * 1024;

/** Providers refuse larger images, and with one in the context every later request (Anthropic vision guide, 2025). */
const MAX_SIDE_PIXELS = 8000;

export interface ReadImageRequest {
  readonly path: string;
  readonly shownPath: string;
  readonly mimeType: string;
  readonly info: FileInfo;
  readonly files: FileSystem;
}

/** An image as a block for the model; throws `ToolError` for one that a provider would refuse. */
export async function readImage(request: ReadImageRequest): Promise<ToolResult<object>> {
  const { path, shownPath, mimeType, info, files } = request;
  const base64Bytes = 4 * Math.ceil(info.sizeBytes / 3);
  if (base64Bytes > MAX_BASE64_BYTES) {
    throw new ToolError(
      `${shownPath} is an image of ${formatBytes(info.sizeBytes)}; at most ${formatBytes((MAX_BASE64_BYTES / 4) * 3)} can be shown. Make a smaller copy first.`,
    );
  }
  const bytes = await files.readFile(path);
  const check = checkImage(bytes, mimeType);
  if ("problem" in check) {
    throw new ToolError(`${shownPath} begins like ${mimeType} but is no whole image: ${check.problem}.`);
  }
  if (Math.max(check.width, check.height) > MAX_SIDE_PIXELS) {
    throw new ToolError(
      `${shownPath} is an image of ${check.width}x${check.height} pixels; at most ${MAX_SIDE_PIXELS} on a side can be shown. Make a smaller copy first.`,
    );
  }
  const data = Buffer.from(bytes).toString("base64");
  return {
    content: [
      { type: "text", text: `[Image ${shownPath}, ${mimeType}, ${formatBytes(info.sizeBytes)}]` },
      { type: "image", data, mimeType },
    ],
    details: {},
  };
}
