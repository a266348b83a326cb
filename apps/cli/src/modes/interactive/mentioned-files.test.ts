import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mentionedPaths, readMentions, withFileNames, withoutFiles } from "./mentioned-files.ts";
import { withImageMention } from "./pasted-image.ts";

/** The smallest PNG: one transparent pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "coppice-mentions-"));
  await writeFile(join(path, "a.ts"), "let a = 1;\nlet b = 2;\n");
  await writeFile(join(path, "my notes.md"), "Remember.\n");
  await writeFile(join(path, "dot.png"), PNG);
  await writeFile(join(path, "odd.bin"), Buffer.from([1, 0, 2, 0]));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("mentions stand at the start or after a blank; addresses and decorators in the middle of a word are none", () => {
  expect(mentionedPaths('@a.ts and (@b/c.ts) or @"my notes.md", not me@example.com')).toEqual([
    "a.ts",
    "b/c.ts)",
    "my notes.md",
  ]);
});

test("files that are mentioned go along, texts behind the text and images beside it; other mentions stay words", async () => {
  await using place = await folder();
  const said = 'look at @a.ts, (@"my notes.md") and @dot.png; ask @nobody about @types/node';
  const { text, images, problems } = await readMentions(said, place.path);
  expect(text).toBe(
    `${said}\n\n<file path="a.ts">\nlet a = 1;\nlet b = 2;\n</file>\n\n<file path="my notes.md">\nRemember.\n</file>`,
  );
  expect(images).toMatchObject([{ type: "image", mimeType: "image/png" }]);
  expect(problems).toEqual([]);
  expect(withFileNames(text)).toBe(`${said}\n[a.ts, 2 lines]\n[my notes.md, 1 line]`);
  expect(withoutFiles(text)).toBe(said);
});

test("a mention of a folder, a pipe, a device or a file that is not there stays a word, and is told; nothing waits for the pipe", async () => {
  await using place = await folder();
  await mkdir(join(place.path, "src"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(place.path, "fifo")]);
  const said = 'look into @src/ and @fifo, @/dev/null, @src/nope.ts. @"no such file" @nobody @types/node';
  const { text, problems } = await readMentions(said, place.path);
  expect(text).toBe(said);
  expect(problems).toEqual([
    "src/ is a folder and no file: only the name was sent.",
    "fifo is a pipe and no file: only the name was sent.",
    "/dev/null is a device and no file: only the name was sent.",
    "There is no file src/nope.ts: only the name was sent.",
    "There is no file no such file: only the name was sent.",
  ]);
});

test("a file that is neither text nor an image is told, and the rest is sent", async () => {
  await using place = await folder();
  const { text, problems } = await readMentions("see @odd.bin", place.path);
  expect(text).toBe("see @odd.bin");
  expect(problems).toEqual(["The file odd.bin of @odd.bin is neither text nor an image"]);
});

test("UI-05: a text without files comes back as it was written", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(withoutFiles(text)).toBe(text);
      expect(withFileNames(text)).toBe(text);
    }),
  );
});

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

test.each([
  ["/tmp/shot.png", "@/tmp/shot.png "],
  ["'/tmp/my shot.PNG'", '@"/tmp/my shot.PNG" '],
  ["/tmp/my\\ shot\\ (1).jpeg\n", '@"/tmp/my shot (1).jpeg" '],
  ["file:///tmp/a%20b.webp", '@"/tmp/a b.webp" '],
])("a pasted image path %j becomes the mention %j", (pasted, mention) => {
  expect(withImageMention(paste(pasted))).toBe(paste(mention));
});

test.each(["notes about shot.png", "/tmp/a.txt", "/tmp/a.png\n/tmp/b.png", '/tmp/"a.png'])(
  "UI-05: the paste %j stays what it is",
  (pasted) => {
    expect(withImageMention(paste(pasted))).toBe(paste(pasted));
    expect(withImageMention(pasted)).toBe(pasted);
  },
);
