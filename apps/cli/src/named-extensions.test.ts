import { expect, test } from "vitest";
import { fromHere, namedExtensions } from "./named-extensions.ts";

const bases = { user: "/home/.coppice", project: "/code/.coppice" };

test("the user's list and that of the project both count, each from where it was written", () => {
  expect(namedExtensions({ user: ["a"], all: ["./b.ts"] }, bases)).toEqual([
    { source: "project", specs: ["./b.ts"], base: "/code/.coppice" },
    { source: "user", specs: ["a"], base: "/home/.coppice" },
  ]);
});

test.each([
  { name: "no list of the project", all: ["a", "b"] },
  { name: "an empty one", all: [] },
  { name: "none at all", all: undefined },
])("with $name only the user's counts", ({ all }) => {
  expect(namedExtensions({ user: ["a", "b"], all }, bases)).toEqual([
    { source: "user", specs: ["a", "b"], base: "/home/.coppice" },
  ]);
});

test("paths of the command line begin where the program was started; anything else stays as it is", () => {
  expect(fromHere(["./a.ts", "../b", "..", "@team/rules", "rules", "~/c.ts", "/d.ts"], "/code/x")).toEqual([
    ...["/code/x/a.ts", "/code/b", "/code", "@team/rules", "rules", "~/c.ts", "/d.ts"],
  ]);
});
