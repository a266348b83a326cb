/**
 * How a JPEG says it is to be turned, 1 to 8; 1 = as it is, also for what says nothing (Exif 2.32, tag 0x0112).
 *
 * Models are not told of it, and it is lost when an image is packed anew.
 */
export function orientationOf(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    // The scan begins; what is said of the image stands before it.
    if (marker === 0xda || marker === 0xd9) return 1;
    const length = view.getUint16(at + 2);
    if (marker === 0xe1 && at + 2 + length <= data.length) {
      const found = exifOrientation(data.subarray(at + 4, at + 2 + length));
      if (found !== undefined) return found;
    }
    at += 2 + length;
  }
  return 1;
}

const ENTRY_BYTES = 12;
const ORIENTATION_TAG = 0x0112;

/** An APP1 segment: "Exif", two zeros, and a TIFF whose first directory holds the tag. */
function exifOrientation(segment: Uint8Array): number | undefined {
  if (String.fromCharCode(...segment.subarray(0, 6)) !== "Exif\0\0" || segment.length < 14) return undefined;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const isLittle = tiff.getUint16(0) === 0x4949;
  const start = tiff.getUint32(4, isLittle);
  if (start + 2 > tiff.byteLength) return undefined;
  const count = tiff.getUint16(start, isLittle);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.byteLength) return undefined;
    if (tiff.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = tiff.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
