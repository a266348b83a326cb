/** The image formats that models take, by their full signatures; text that merely starts like one is no image. */
export function detectImageType(head: Uint8Array): string | undefined {
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (startsWith(head, [0xff, 0xd8, 0xff])) return "image/jpeg";
  if (isGif(head)) return "image/gif";
  const ascii = (start: number, end: number): string => String.fromCharCode(...head.subarray(start, end));
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP" && /^VP8[ LX]$/.test(ascii(12, 16)))
    return "image/webp";
  return undefined;
}

/** GIF87a or GIF89a, then a screen descriptor and a colour table, then a block (GIF89a specification, 1990). */
function isGif(head: Uint8Array): boolean {
  if (!/^GIF8[79]a$/.test(String.fromCharCode(...head.subarray(0, 6))) || head.length < 14) return false;
  const flags = head[10] ?? 0;
  const tableBytes = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  const block = head[13 + tableBytes];
  return block === 0x21 || block === 0x2c || block === 0x3b;
}

function startsWith(head: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => head[index] === byte);
}
