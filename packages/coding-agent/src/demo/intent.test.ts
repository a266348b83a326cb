import { expect, test } from "vitest";
import { type DemoIntent, readIntent } from "./intent.ts";

const rows: readonly (readonly [prompt: string, intent: DemoIntent])[] = [
  ["explain this project", { kind: "explain" }],
  ["What does this repo do?", { kind: "explain" }],
  ["give me an overview", { kind: "explain" }],
  ["find TODOs", { kind: "find_todos" }],
  ["are there any FIXMEs left?", { kind: "find_todos" }],
  ["where is parseJSON defined?", { kind: "where_defined", symbol: "parseJSON" }],
  ["where is the function `run_all` declared", { kind: "where_defined", symbol: "run_all" }],
  ["run the tests", { kind: "run_tests" }],
  ["do the tests pass?", { kind: "run_tests" }],
  [
    'replace "old name" with "new name" in src/a.ts',
    { kind: "replace", from: "old name", to: "new name", path: "src/a.ts" },
  ],
  ["replace foo with bar in notes.txt.", { kind: "replace", from: "foo", to: "bar", path: "notes.txt" }],
  ["replace `a$1` with `$&` in x.js", { kind: "replace", from: "a$1", to: "$&", path: "x.js" }],
  ["show src/index.ts", { kind: "show_file", path: "src/index.ts" }],
  ["run `echo hello && exit 3`", { kind: "run_command", command: "echo hello && exit 3" }],
  ["what did I ask so far?", { kind: "recall" }],
  ["which files did you read?", { kind: "recall" }],
  ["write me a poem", { kind: "unknown" }],
];

test.each(rows)("«%s» is understood", (prompt, intent) => {
  expect(readIntent(prompt)).toEqual(intent);
});
