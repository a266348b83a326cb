/** Media type → short name of the images that a viewer draws without ever running anything in them; SVG is no such. */
const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpeg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
]);

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** `png` for `image/png`; undefined for a type that is not drawn. */
export function imageTypeName(mimeType: string): string | undefined {
  return IMAGE_TYPES.get(mimeType);
}

/** Whether the text is base64 and nothing else; blanks are not. */
export function isBase64(data: string): boolean {
  return BASE64.test(data);
}

/** The bytes that base64 stands for, from its length and its padding alone: the data may be untrusted and of any size. */
export function base64ByteCount(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
