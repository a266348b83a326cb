import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createPaint } from "../theme.ts";
import { fileLanguage } from "./file-language.ts";
import { Highlighter } from "./highlighter.ts";
import { highlightHtml } from "./languages.ts";

const marks = (tone: string, text: string) => `<${tone}:${text}>`;

async function loaded(paint = createPaint(true), html = highlightHtml) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const highlighter = new Highlighter({
    paint,
    load: async () => ({ highlightHtml: html }),
    onLoad: resolve,
  });
  highlighter.lines("let a", "typescript");
  await promise;
  return highlighter;
}

test("code is coloured by meaning, each line for itself, also inside of a comment over two lines", async () => {
  const highlighter = await loaded(marks);
  expect(highlighter.lines('const a: string = "<&>";\n/* one\ntwo */ f(1)', "ts")).toEqual([
    '<keyword:const> <attribute:a>: <type:string> = <string:"<&>">;',
    "<comment:/* one>",
    "<comment:two */> <function:f>(<number:1>)",
  ]);
});

test("what is prepared in time colours the first code, and nothing is drawn again for it", async () => {
  const { promise, resolve } = Promise.withResolvers<{ readonly highlightHtml: typeof highlightHtml }>();
  const onLoad = vi.fn();
  const highlighter = new Highlighter({ paint: marks, load: () => promise, onLoad });
  highlighter.prepare();
  resolve({ highlightHtml });
  await promise;
  await Promise.resolve();
  expect(highlighter.lines("let", "ts")).toEqual(["<keyword:let>"]);
  expect(onLoad).not.toHaveBeenCalled();
});

test("a language nobody knows, none at all, and a grammar that fails leave code plain", async () => {
  const highlighter = await loaded(marks);
  expect(highlighter.lines("a\nb", "klingon")).toEqual(["a", "b"]);
  expect(highlighter.lines("a\nb", undefined)).toEqual(["a", "b"]);
  const failing = await loaded(marks, () => {
    throw new Error("no");
  });
  expect(failing.lines("a\nb", "ts")).toEqual(["a", "b"]);
});

test("UI-16: whatever the code, no visible character is lost or added", { timeout: 60_000 }, async () => {
  const highlighter = await loaded();
  const code = fc
    .string({ unit: "grapheme", maxLength: 200 })
    .map((text) => text.replace(/[\p{Cc}]/gu, "\n"));
  fc.assert(
    fc.property(
      code,
      fc.constantFrom("ts", "python", "xml", "bash", "diff", "markdown"),
      (text, language) => {
        const plain = highlighter.lines(text, language).map(stripVTControlCharacters);
        expect(plain).toEqual(text.split("\n"));
      },
    ),
  );
});

test("UI-17: code that grows is read a few times only, and whole once it is finished", {
  timeout: 60_000,
}, async () => {
  let characters = 0;
  const highlighter = await loaded(marks, (code, language) => {
    characters += code.length;
    return highlightHtml(code, language);
  });
  const line = 'const answer = "forty-two";\n';
  const growing = highlighter.growing();
  for (let count = 1; count <= 200; count++) {
    const code = line.repeat(count);
    expect(
      growing
        .lines(code, "ts")
        .join("\n")
        .replace(/<\w+:(.*?)>/g, "$1"),
    ).toBe(code);
  }
  expect(characters).toBeLessThan(line.length * 200 * 20);
  growing.reset();
  expect(
    growing.lines(line.repeat(200), "ts").filter((text) => text.includes("<keyword:const>")),
  ).toHaveLength(200);
});

test("very long code is coloured up to a bound, at the end of a line", async () => {
  let longest = 0;
  const highlighter = await loaded(marks, (code, language) => {
    longest = Math.max(longest, code.length);
    return highlightHtml(code, language);
  });
  const lines = highlighter.lines("let a = 1;\n".repeat(10_000), "ts");
  expect(lines).toHaveLength(10_001);
  expect(lines.at(0)).toBe("<keyword:let> a = <number:1>;");
  expect(lines.at(-2)).toBe("let a = 1;");
  expect(longest).toBeLessThanOrEqual(16_000);
});

test.each([
  ["src/a.ts", "ts"],
  ["a.mts", "typescript"],
  ["Dockerfile", "dockerfile"],
  ["C:\\x\\b.toml", "ini"],
  ["LICENSE", undefined],
  ["a.2", undefined],
])("the language of %s is %s", (path, language) => expect(fileLanguage(path)).toBe(language));
