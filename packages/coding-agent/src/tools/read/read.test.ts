import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLocalEnvironment } from "../../env/local-environment.ts";
import { changedFiles } from "../../testing/changed-files.ts";
import { gifOf, jpegOf, pngOf, webpOf, wholePng } from "../../testing/image-bytes.ts";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { checkImage } from "../../text/image-size.ts";
import { createReadTool, type ReadDetails } from "./tool.ts";

const NOTICE = /\n?\n\[(?:Lines|Bytes) [^\]\n]* Use (offset|byteOffset)=(\d+) to continue\.\]$/;

/** Reads a file as a model would that follows every notice. */
async function readAll(
  data: Uint8Array | string,
): Promise<{ readonly text: string; readonly calls: number }> {
  const environment = createMemoryEnvironment({ files: { "/w/f": data } });
  const tool = createReadTool({ cwd: "/w", environment });
  let text = "";
  let params: Record<string, unknown> = { path: "f" };
  for (let calls = 1; ; calls++) {
    const outcome = await runTool(tool, params);
    if (outcome.isError) throw new Error(outcome.text);
    const notice = NOTICE.exec(outcome.text);
    const { truncation } = outcome.details as ReadDetails;
    expect(truncation === undefined).toBe(notice === null);
    if (notice === null) return { text: text + outcome.text, calls };
    const body = outcome.text.slice(0, notice.index);
    // The notice stands apart by a blank line; a text that does not end with its line gets a break first.
    text += Buffer.byteLength(body) === truncation?.outputBytes ? body : `${body}\n`;
    params = { path: "f", [String(notice[1])]: Number(notice[2]) };
  }
}

describe("TO-03: following the notices reads every byte once", () => {
  test.each([
    { name: "few lines", text: "a\nb\nc", calls: 1 },
    { name: "exactly 2000 lines", text: "x\n".repeat(2000), calls: 1 },
    { name: "2001 lines", text: "x\n".repeat(2001), calls: 2 },
    { name: "blank lines", text: "\n".repeat(4500), calls: 3 },
    { name: "many bytes", text: `${"é".repeat(100)}\n`.repeat(1000), calls: 4 },
    { name: "CRLF", text: "a\r\n".repeat(3000), calls: 2 },
    { name: "a huge first line", text: `${"é🔥".repeat(30_000)}\nend\n`, calls: 4 },
    { name: "a huge line in the middle", text: `a\n${"x".repeat(120_000)}\nb\n`, calls: 4 },
    { name: "a line of exactly the limit", text: `${"x".repeat(51_199)}\nend`, calls: 2 },
  ])("$name", async ({ text, calls }) => expect(await readAll(text)).toEqual({ text, calls }));

  test("any file", async () => {
    const line = fc.tuple(fc.constantFrom("a", "é", "🔥", "\r", "漢"), fc.integer({ min: 0, max: 40_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (lines, hasEnd) => {
        const text = lines.map(([unit, count]) => unit.repeat(count)).join("\n") + (hasEnd ? "\n" : "");
        if (text !== "") expect((await readAll(text)).text).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe("encodings", () => {
  test("B156: a BOM is not part of the text", async () => {
    expect(await readAll(Buffer.from("\ufeffx=1\n"))).toEqual({ text: "x=1\n", calls: 1 });
  });

  test("UTF-16 is shown as text, page by page", async () => {
    const text = "naïve 漢字\n".repeat(2500);
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    expect(await readAll(little)).toEqual({ text, calls: 2 });
    expect(await readAll(Buffer.from(little).swap16())).toEqual({ text, calls: 2 });
  });

  test("bytes that are not UTF-8 are shown as such and noted", async () => {
    const environment = createMemoryEnvironment({ files: { "/w/f": Buffer.from("caf\xe9\n", "latin1") } });
    const outcome = await runTool(createReadTool({ cwd: "/w", environment }), { path: "f" });
    expect(outcome.text).toBe("caf\ufffd\n\n[Some bytes are not valid UTF-8 and are shown as \ufffd.]");
  });
});

describe("TO-04: images are known by their content", () => {
  const small = { width: 3, height: 2 };
  test.each([
    { name: "png", data: pngOf(small), mimeType: "image/png" },
    { name: "jpeg", data: jpegOf(small), mimeType: "image/jpeg" },
    { name: "gif", data: gifOf(small), mimeType: "image/gif" },
    { name: "webp", data: webpOf("VP8 ", small), mimeType: "image/webp" },
  ])("$name under a lying name", async ({ data, mimeType }) => {
    const environment = createMemoryEnvironment({ files: { "/w/a.txt": data } });
    const outcome = await runTool(createReadTool({ cwd: "/w", environment }), { path: "a.txt" });
    expect(outcome.content[1]).toEqual({ type: "image", data: data.toString("base64"), mimeType });
  });

  test("text that begins like an image is text", async () => {
    for (const text of ["GIF89a is a format of images", "RIFF and WEBP", "BM is not one"]) {
      expect((await readAll(text)).text).toBe(text);
    }
  });

  test("TO-05: an image over the limits is shown smaller, and the model is told", async () => {
    const data = wholePng({ width: 2400, height: 60 });
    const environment = createMemoryEnvironment({ files: { "/w/a": data } });
    const outcome = await runTool(createReadTool({ cwd: "/w", environment }), { path: "a" });
    expect(outcome.text).toMatch(/^\[Image a, \S+ \S+, of 2400x60, shown as image\/png of 2000x50\]$/);
    const [, image] = outcome.content;
    const bytes = Buffer.from(image?.type === "image" ? image.data : "", "base64");
    expect(checkImage(bytes, "image/png")).toEqual({ width: 2000, height: 50 });
  });

  test.each([
    {
      name: "too many pixels to be unpacked",
      data: pngOf({ width: 80_000, height: 8000 }),
      text: "a.png looks like an image but cannot be shown: 80000x8000 pixels are too many to be made smaller here.",
    },
    {
      name: "a signature and nothing else",
      data: pngOf(small).subarray(0, 8),
      text: "a.png looks like an image but cannot be shown: it is cut off.",
    },
    {
      name: "no pixels",
      data: jpegOf({ width: 0, height: 2 }),
      text: "a.png looks like an image but cannot be shown: its size is 0x2 pixels.",
    },
    {
      name: "headers of a large image and nothing behind them",
      data: pngOf({ width: 3000, height: 3000 }),
      text: "a.png looks like an image but cannot be shown: it cannot be unpacked (unreachable).",
    },
  ])("TO-05: what cannot be made safe becomes text: $name", async ({ data, text }) => {
    const environment = createMemoryEnvironment({ files: { "/w/a.png": data } });
    const outcome = await runTool(createReadTool({ cwd: "/w", environment }), { path: "a.png" });
    expect(outcome).toMatchObject({ isError: true, text });
  });
});

test("B189: devices are refused before they are read", async () => {
  const environment = createLocalEnvironment({ environmentVariables: {} });
  expect(await runTool(createReadTool({ cwd: "/", environment }), { path: "/dev/zero" })).toMatchObject({
    isError: true,
    text: "dev/zero is a device, pipe or socket, not a file.",
  });
});

test("TO-03, PF-04: memory is bounded by what is shown, not by the file", async () => {
  const SIZE = 2 * 1024 ** 3;
  let mostBytes = 0;
  const { files, ...rest } = createMemoryEnvironment({ files: { "/w/f": "x" } });
  const huge = {
    ...rest,
    files: {
      realPath: (path: string) => files.realPath(path),
      writeFile: files.writeFile.bind(files),
      readDirectory: files.readDirectory.bind(files),
      readFile: () => Promise.reject(new Error("the whole file was asked for")),
      stat: async (path: string) => ({ ...(await files.stat(path)), sizeBytes: SIZE }),
      readRange: async (_path: string, offset: number, length: number) => {
        mostBytes = Math.max(mostBytes, length);
        return Buffer.alloc(Math.max(0, Math.min(length, SIZE - offset)), "0123456789abcde\n");
      },
    },
  };
  const outcome = await runTool(createReadTool({ cwd: "/w", environment: huge }), { path: "f" });
  expect(outcome.text.slice(-80)).toMatch(
    /\[Lines 1-2000 of a file of 2\.0 GB shown\. Use offset=2001 to continue\.\]$/,
  );
  expect(mostBytes).toBeLessThanOrEqual(256 * 1024);
});

test.each(["realPath", "stat", "readRange", "readFile"] as const)(
  "TO-06: a read that is cancelled at %s ends, and nothing is shown",
  async (phase) => {
    const { files, ...rest } = createMemoryEnvironment({
      files: { "/w/f": phase === "readFile" ? pngOf({ width: 3, height: 2 }) : "x\n".repeat(200_000) },
    });
    const controller = new AbortController();
    const cancelling = changedFiles(files, {
      [phase]: async (...input: Parameters<typeof files.readRange>) => {
        controller.abort(new Error("cancelled"));
        return files[phase](...input);
      },
    });
    const outcome = await runTool(
      createReadTool({ cwd: "/w", environment: { ...rest, files: cancelling } }),
      { path: "f" },
      { signal: controller.signal },
    );
    expect(outcome).toMatchObject({ isError: true, text: "cancelled" });
  },
);
