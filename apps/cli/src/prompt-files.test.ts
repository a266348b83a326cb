import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPromptFiles } from "./prompt-files.ts";

const folder = await mkdtemp(join(tmpdir(), "coppice-prompt-files-"));
afterAll(() => rm(folder, { recursive: true }));

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
  "base64",
);
await mkdir(join(folder, "src"));
await writeFile(join(folder, "src/a b.ts"), "const a = 1;\n");
await writeFile(join(folder, "shot.txt"), PNG);
await writeFile(join(folder, "cut.png"), PNG.subarray(0, 40));
await writeFile(join(folder, "blob"), Buffer.from([1, 0, 2]));
await writeFile(join(folder, "long.md"), `${"x".repeat(256 * 1024 - 1)}éz`);

const read = (...words: readonly string[]) => readPromptFiles(words, folder);

test("text files come in an element with their path, images as blocks by what they hold; the rest is text", async () => {
  expect(await read("compare", "@src/a b.ts", "with", "@shot.txt", "@", "a@b")).toEqual({
    words: ["compare", "with", "@", "a@b"],
    texts: ['<file path="src/a b.ts">\nconst a = 1;\n</file>'],
    images: [{ type: "image", data: PNG.toString("base64"), mimeType: "image/png" }],
  });
});

test("a long text is cut between characters and says how much there is", async () => {
  const { texts } = await read("@long.md");
  expect(texts[0]).toMatch(
    /x\n\[The first 262144 of 262146 bytes; read the file for the rest\.\]\n<\/file>$/,
  );
});

test("a prompt that begins with @ and names no file is a prompt; a single word that names none is a mistake", async () => {
  expect(await read("@types/node and its version")).toMatchObject({ words: ["@types/node and its version"] });
  await expect(read("@nope.ts")).rejects.toMatchObject({
    code: "usage",
    message: "The file nope.ts of @nope.ts is not there",
  });
  await expect(read("@cut.png")).rejects.toThrow("looks like an image but cannot be used: it is cut off");
  await expect(read("@blob")).rejects.toThrow("neither text nor an image");
  await expect(read("@src")).rejects.toThrow("is a folder");
  await expect(read("@/dev/null")).rejects.toThrow("is a device");
});
