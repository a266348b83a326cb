import type { ImageContent } from "@coppice/ai";
import { formatBytes } from "@coppice/coding-agent";
import {
  getCapabilities,
  getCellDimensions,
  getImageDimensions,
  Image,
  type ImageDimensions,
} from "@earendil-works/pi-tui";
import { base64ByteCount, imageTypeName, isBase64 } from "../../../render/image-facts.ts";
import { inertLine } from "../../../render/terminal-text.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { View } from "./view.ts";

const MAX_COLUMNS = 60;
const MAX_ROWS = 16;
/** More is not sent to a terminal, which takes it in over the line that keys come from. */
const MAX_DRAWN_CHARACTERS = 4 * 1024 * 1024;
/** Enough for the headers in front of every format's size. */
const HEAD_CHARACTERS = 256 * 1024;

/**
 * An image of a message: drawn where the terminal is known to draw images, else a line with its type, size and
 * dimensions. Its data is untrusted, and reaches the terminal as base64 of a known format only.
 */
export class ImageView extends View {
  readonly #content: ImageContent;
  readonly #paint: Paint;
  readonly #dimensions: ImageDimensions | undefined;
  /** Made when it is drawn first; null = a line only. */
  #image: Image | null | undefined;

  constructor(content: ImageContent, paint: Paint) {
    super();
    this.#content = content;
    this.#paint = paint;
    this.#dimensions = dimensionsOf(content);
  }

  /** Leaves the line, and draws the image no more. */
  keepLineOnly(): void {
    this.#image = null;
    this.invalidate();
  }

  override invalidate(): void {
    super.invalidate();
    this.#image?.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    const line = clipLine(this.#paint("dim", imageLine(this.#content, this.#dimensions)), width);
    const { images } = getCapabilities();
    // The protocol of kitty knows this one format.
    const isShown = images === "iterm2" || (images === "kitty" && this.#content.mimeType === "image/png");
    return isShown ? [line, ...(this.#drawable()?.render(width) ?? [])] : [line];
  }

  #drawable(): Image | null {
    const content = this.#content;
    if (this.#image === undefined) {
      const canDraw = this.#dimensions !== undefined && isSafe(content);
      this.#image = canDraw ? imageOf(content, this.#dimensions) : null;
    }
    return this.#image;
  }
}

/** `[image: png, 640×480, 12.0 KB]`. */
function imageLine({ mimeType, data }: ImageContent, dimensions: ImageDimensions | undefined): string {
  const facts = [
    imageTypeName(mimeType) ?? inertLine(mimeType, 40),
    ...(dimensions === undefined ? [] : [`${dimensions.widthPx}×${dimensions.heightPx}`]),
    formatBytes(base64ByteCount(data)),
  ];
  return `[image: ${facts.join(", ")}]`;
}

function dimensionsOf({ data, mimeType }: ImageContent): ImageDimensions | undefined {
  const found = getImageDimensions(data.slice(0, HEAD_CHARACTERS), mimeType);
  return found !== null && found.widthPx > 0 && found.heightPx > 0 ? found : undefined;
}

function isSafe({ data, mimeType }: ImageContent): boolean {
  return data.length <= MAX_DRAWN_CHARACTERS && imageTypeName(mimeType) !== undefined && isBase64(data);
}

function imageOf({ data, mimeType }: ImageContent, dimensions: ImageDimensions): Image {
  // Never larger than it is: an icon stays one.
  const cell = getCellDimensions();
  const bounds = {
    maxWidthCells: Math.min(MAX_COLUMNS, Math.ceil(dimensions.widthPx / cell.widthPx)),
    maxHeightCells: Math.min(MAX_ROWS, Math.ceil(dimensions.heightPx / cell.heightPx)),
  };
  return new Image(data, mimeType, { fallbackColor: (text) => text }, bounds, dimensions);
}
