import { expect, test } from "vitest";
import { readManifest } from "./manifest.ts";

test("a package.json gives its name, entries without declarations, scripts, dependencies and the test command", () => {
  const manifest = {
    name: "prune",
    version: "1.2.3",
    description: "Prunes trees",
    bin: { prune: "./cli.mjs" },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    main: "dist/index.js",
    scripts: { test: "node --test" },
    dependencies: { saw: "1" },
  };
  expect(readManifest("package.json", JSON.stringify(manifest))).toEqual({
    path: "package.json",
    ecosystem: "JavaScript package",
    name: "prune",
    version: "1.2.3",
    description: "Prunes trees",
    entries: ["cli.mjs", "dist/index.js"],
    scripts: ["test: node --test"],
    dependencies: ["saw"],
    testCommand: "npm test",
  });
});

test.each([
  [
    "Cargo.toml",
    '[package]\nname = "prune"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
    "cargo test",
  ],
  ["go.mod", "module example.com/prune\n\nrequire (\n\tgolang.org/x/net v0.1.0\n)\n", "go test ./..."],
  ["Makefile", "all: build\ntest:\n\t./run\nVAR := 1\n", "make test"],
  ["pyproject.toml", '[project]\nname = "prune"\n', "python3 -m pytest"],
])("%s names the tests' command", (path, text, testCommand) => {
  expect(readManifest(path, text)?.testCommand).toBe(testCommand);
});

test("a broken manifest and a file that is none give no facts", () => {
  expect([readManifest("package.json", "{"), readManifest("notes.txt", "{}")]).toEqual([
    undefined,
    undefined,
  ]);
});
