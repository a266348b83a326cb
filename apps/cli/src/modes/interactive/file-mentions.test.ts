import { type AutocompleteProvider, CombinedAutocompleteProvider } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { FileMentions, matchingPaths, projectFiles } from "./file-mentions.ts";

const FILES = ["src/modes/rpc/client.ts", "README.md", "src/run.ts", "my notes.md"];
const base = new CombinedAutocompleteProvider([{ name: "help", description: "" }], "/nowhere");

function createMentions() {
  let listings = 0;
  let nowMs = 0;
  const mentions = new FileMentions({
    base,
    listFiles: async () => {
      listings += 1;
      return FILES;
    },
    now: () => nowMs,
  });
  const suggest = async (text: string): Promise<readonly string[] | undefined> => {
    const options = { signal: new AbortController().signal };
    const found = await mentions.getSuggestions([text], 0, text.length, options);
    return found?.items.map(({ value }) => value);
  };
  return { mentions, suggest, listings: () => listings, pass: (ms: number) => (nowMs += ms) };
}

test("@ and some letters of a path suggest files; an address, a command and plain words do not", async () => {
  const { suggest, listings, pass } = createMentions();
  expect(await suggest("look at @rpccli")).toEqual(["@src/modes/rpc/client.ts"]);
  expect(await suggest("(@notes")).toEqual(['@"my notes.md"']);
  expect(await suggest("@")).toEqual([
    "@README.md",
    '@"my notes.md"',
    "@src/run.ts",
    "@src/modes/rpc/client.ts",
  ]);
  expect(listings()).toBe(1);
  pass(3_000);
  expect(await suggest("@zzz")).toBeUndefined();
  expect(listings()).toBe(2);
  expect(await suggest("me@read")).toBeUndefined();
  expect(await suggest("/he")).toEqual(["help"]);
  expect(listings()).toBe(2);
});

test("a choice replaces what was written of it", async () => {
  const { mentions } = createMentions();
  const text = "look at @run now";
  const item = { value: "@src/run.ts", label: "run.ts" };
  expect(mentions.applyCompletion([text], 0, 12, item, "@run")).toMatchObject({
    lines: ["look at @src/run.ts  now"],
    cursorCol: 20,
  } satisfies Partial<ReturnType<AutocompleteProvider["applyCompletion"]>>);
});

test("names that a terminal cannot show are left out; a search that fails suggests nothing", async () => {
  const signal = new AbortController().signal;
  const list = projectFiles(async (_, { onLine }) => {
    for (const line of ["a.ts", "b\u001b[31m.ts", "c\u202e.ts", "d\\e.ts"]) onLine(line);
    return { exitCode: 0, stderr: "" };
  }, "/project");
  expect(await list(signal)).toEqual(["a.ts", "d/e.ts"]);
  const none = projectFiles(() => Promise.reject(new Error("ENOENT")), "/project");
  expect([await none(signal), await projectFiles(undefined, "/project")(signal)]).toEqual([[], []]);
});

test("of many files the best twenty are shown", () => {
  const many = Array.from({ length: 100 }, (_, index) => `src/file-${index}.ts`);
  expect(matchingPaths(many, "file")).toHaveLength(20);
});
