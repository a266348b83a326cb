/**
 * What the thread of `shrinkImage` runs, as CommonJS text: so it needs no file of its own beside a bundle.
 *
 * A photograph stays a JPEG. Anything else stays lossless (PNG) where that fits and is not far larger than a JPEG; with
 * transparency always. What is still too long is made smaller step by step.
 */
export const SHRINK_SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const { PhotonImage, SamplingFilter, resize } = require(workerData.library);
const { data, mimeType, orientation, maxSidePixels, maxBase64Bytes } = workerData;

const QUALITIES = [85, 70, 50];
const STEP = 0.75;
const SMALLEST_SIDE = 32;

/** Pixel (x, y) of the upright image comes from place(x, y) of the stored one, which is w by h. */
const PLACES = {
  2: (w, h) => (x, y) => y * w + (w - 1 - x),
  3: (w, h) => (x, y) => (h - 1 - y) * w + (w - 1 - x),
  4: (w, h) => (x, y) => (h - 1 - y) * w + x,
  5: (w, h) => (x, y) => x * w + y,
  6: (w, h) => (x, y) => (h - 1 - x) * w + y,
  7: (w, h) => (x, y) => (h - 1 - x) * w + (w - 1 - y),
  8: (w, h) => (x, y) => x * w + (w - 1 - y),
};

function upright(image) {
  if (orientation === 1) return image;
  const [w, h] = [image.get_width(), image.get_height()];
  const [width, height] = orientation >= 5 ? [h, w] : [w, h];
  const stored = new Uint32Array(image.get_raw_pixels().slice().buffer);
  const turned = new Uint32Array(stored.length);
  const place = PLACES[orientation](w, h);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[y * width + x] = stored[place(x, y)];
  }
  return new PhotonImage(new Uint8Array(turned.buffer), width, height);
}

function isOpaque(image) {
  const pixels = image.get_raw_pixels();
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}

const fits = (bytes) => 4 * Math.ceil(bytes.length / 3) <= maxBase64Bytes;

function packed(image, canLose) {
  const png = mimeType === "image/jpeg" ? undefined : image.get_bytes();
  if (png !== undefined && !canLose) return fits(png) ? { data: png, mimeType: "image/png" } : undefined;
  for (const quality of QUALITIES) {
    const jpeg = image.get_bytes_jpeg(quality);
    if (png !== undefined && fits(png) && png.length < 2 * jpeg.length) return { data: png, mimeType: "image/png" };
    if (fits(jpeg)) return { data: jpeg, mimeType: "image/jpeg" };
  }
  return undefined;
}

const image = upright(PhotonImage.new_from_byteslice(data));
const canLose = mimeType === "image/jpeg" || isOpaque(image);
const side = Math.max(image.get_width(), image.get_height());
for (let scale = Math.min(1, maxSidePixels / side); ; scale *= STEP) {
  const width = Math.max(1, Math.round(image.get_width() * scale));
  const height = Math.max(1, Math.round(image.get_height() * scale));
  const sized = scale === 1 ? image : resize(image, width, height, SamplingFilter.Lanczos3);
  const found = packed(sized, canLose);
  if (found !== undefined) {
    parentPort.postMessage({ ...found, width, height });
    break;
  }
  if (Math.max(width, height) * STEP < SMALLEST_SIDE) throw new Error("too large at any size");
  if (sized !== image) sized.free();
}
`;
