import { expect, test } from "vitest";
import { languageOf } from "./text-language.ts";

test.each([
  ["en", "The parser is wrong for the empty file, and this is not what the tests of the package want."],
  [
    "de",
    "Der Parser ist bei der leeren Datei falsch, und das ist nicht, was die Tests auf dem Server prüfen.",
  ],
  ["fr", "Le parseur est faux dans le cas des fichiers vides, et les tests ne sont pas sur le serveur."],
  ["zh", "解析器在 empty file 的时候结果不对，测试没有通过。"],
  ["ja", "パーサーは空のファイルで間違っています。"],
  ["ko", "파서가 빈 파일에서 틀립니다."],
  ["ru", "Парсер ошибается на пустом файле."],
  [undefined, "src/parse.ts: const a = b;"],
  [undefined, ""],
])("%s is told from: %s", (expected, text) => {
  expect(languageOf(text)).toBe(expected);
});
