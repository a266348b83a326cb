/** The sizes stand within the first bytes; JPEG puts metadata before them. */
const MAX_HEADER_BYTES = 262_144;

export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The size of a PNG, JPEG, GIF or WebP from its header; undefined for anything else. `data` is base64. */
export function imageSize(data: string): ImageSize | undefined {
  const head = Buffer.from(data.slice(0, Math.ceil(MAX_HEADER_BYTES / 3) * 4), "base64");
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return pngSize(view) ?? gifSize(view) ?? webpSize(view) ?? jpegSize(view);
  } catch (error) {
    // Reading past the end: the header is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** https://www.w3.org/TR/png/#11IHDR */
function pngSize(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x89504e47) return undefined;
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 18 */
function gifSize(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined;
  return { widthPx: view.getUint16(6, true), heightPx: view.getUint16(8, true) };
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  switch (view.getUint32(12)) {
    case 0x56503820:
      return { widthPx: view.getUint16(26, true) & 0x3fff, heightPx: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503858:
      return { widthPx: uint24(view, 24) + 1, heightPx: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2: the frame header follows segments of given lengths. */
function jpegSize(view: DataView): ImageSize | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { heightPx: view.getUint16(at + 5), widthPx: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}
