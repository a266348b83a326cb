import type { ToolResult } from "@coppice/agent";
import type { FileInfo, FileSystem } from "../../env/environment.ts";
import { type FittedImage, fitImage } from "../../images/fit-image.ts";
import { type ImageLimits, MAX_IMAGE_FILE_BYTES } from "../../images/image-limits.ts";
import { formatBytes } from "../../text/byte-count.ts";
import { ToolError } from "../tool-error.ts";

export interface ReadImageRequest {
  readonly path: string;
  readonly shownPath: string;
  readonly info: FileInfo;
  readonly files: FileSystem;
  readonly signal: AbortSignal;
  readonly limits: ImageLimits | undefined;
}

/**
 * An image as a block for the model, made smaller where it is more than the model takes; throws `ToolError` for one that a
 * provider would refuse.
 */
export async function readImage(request: ReadImageRequest): Promise<ToolResult<object>> {
  const { path, shownPath, info, files, signal, limits } = request;
  if (info.sizeBytes > MAX_IMAGE_FILE_BYTES) {
    throw new ToolError(
      `${shownPath} is an image of ${formatBytes(info.sizeBytes)}; at most ${formatBytes(MAX_IMAGE_FILE_BYTES)} can be read. Make a smaller copy first.`,
    );
  }
  const image = await fitImage(await files.readFile(path), { limits, signal });
  if ("problem" in image) {
    throw new ToolError(`${shownPath} looks like an image but cannot be shown: ${image.problem}.`);
  }
  const { data, mimeType } = image;
  return {
    content: [
      { type: "text", text: `[Image ${shownPath}, ${formatBytes(info.sizeBytes)}, ${howShown(image)}]` },
      { type: "image", data, mimeType },
    ],
    details: {},
  };
}

/** The model must know when coordinates that it reads are not those of the file. */
function howShown({ mimeType, width, height, original }: FittedImage): string {
  const shown = `${mimeType} of ${width}x${height}`;
  return original === undefined ? shown : `of ${original.width}x${original.height}, shown as ${shown}`;
}
