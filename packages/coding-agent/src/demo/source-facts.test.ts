import { expect, test } from "vitest";
import { readSource } from "./source-facts.ts";

test("definitions come with their line, each name once, underscored ones last", () => {
  const text = [
    "#!/usr/bin/env node",
    "// Prunes trees. More of it below.",
    "",
    "const _cache = new Map();",
    "export async function prune(tree) {",
    "  const inner = 1;",
    "}",
    "exports.prune = prune;",
    "class Tree {}",
    "def leaf(): pass",
    "pub fn grow() {}",
    "func (t *Tree) Cut() {}",
  ].join("\n");
  expect(readSource(text)).toEqual({
    purpose: "Prunes trees.",
    definitions: [
      { name: "prune", line: 5 },
      { name: "Tree", line: 9 },
      { name: "leaf", line: 10 },
      { name: "grow", line: 11 },
      { name: "Cut", line: 12 },
      { name: "_cache", line: 4 },
    ],
    lines: 12,
  });
});

test("a licence header is no purpose", () => {
  expect(readSource("/* Copyright 2020 Somebody. */\nlet a;").purpose).toBeUndefined();
});
