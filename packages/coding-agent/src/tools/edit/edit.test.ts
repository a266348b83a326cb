import { validateToolArguments } from "@coppice/ai";
import { describe, expect, test } from "vitest";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { FileLedger } from "../file-ledger.ts";
import { createEditTool } from "./tool.ts";

const edits = [{ oldText: "x", newText: "y" }];

/** Validates the arguments as the loop does, then edits `/w/f`. */
async function edit(content: string | Uint8Array, args: object) {
  const environment = createMemoryEnvironment({ files: { "/w/f": content } });
  const tool = createEditTool({ cwd: "/w", environment });
  const check = await validateToolArguments(tool, args);
  if (!check.ok) return { text: check.message, isError: true, details: undefined, bytes: undefined };
  const outcome = await runTool(tool, check.value);
  return { ...outcome, bytes: Buffer.from(await environment.files.readFile("/w/f")) };
}

describe("shapes of the arguments", () => {
  test.each([
    { name: "the documented one", args: { path: "f", edits } },
    { name: "B166: edits as JSON text", args: { path: "f", edits: JSON.stringify(edits) } },
    { name: "TO-10: one edit instead of a list", args: { path: "f", edits: edits[0] } },
    {
      name: "B169: an edit at the top, as in older sessions",
      args: { path: "f", oldText: "x", newText: "y" },
    },
    { name: "a note beside the texts", args: { path: "f", edits: [{ ...edits[0], reason: "because" }] } },
  ])("$name", async ({ args }) => expect((await edit("x\n", args)).bytes?.toString()).toBe("y\n"));

  test.each([
    { name: "B168: an object for the path", args: { path: { file: "f" }, edits } },
    { name: "no edits", args: { path: "f" } },
    { name: "half an edit", args: { path: "f", edits: [{ oldText: "x" }] } },
    { name: "null", args: { path: "f", edits: null } },
  ])("refused: $name", async ({ args }) => expect((await edit("x\n", args)).isError).toBe(true));
});

describe("bytes", () => {
  test.each([
    { name: "B156: a BOM stays", before: "efbbbf783d310a", after: "efbbbf793d310a" },
    { name: "bytes that are not UTF-8 stay", before: "e920780aff", after: "e920790aff" },
    { name: "UTF-16 stays UTF-16", before: "fffe78000a00", after: "fffe79000a00" },
    { name: "big-endian UTF-16 too", before: "feff0078000a", after: "feff0079000a" },
  ])("$name", async ({ before, after }) => {
    const { bytes } = await edit(Buffer.from(before, "hex"), { path: "f", edits });
    expect(bytes?.toString("hex")).toBe(after);
  });

  test("UTF-16 with half a character is refused and untouched", async () => {
    const before = Buffer.from("fffe78000a", "hex");
    expect(await edit(before, { path: "f", edits })).toMatchObject({ isError: true, bytes: before });
  });
});

test("a tolerant match is told to the model", async () => {
  const args = { path: "f", edits: [{ oldText: "say 'x'", newText: "say 'y'" }] };
  expect((await edit("say ‘x’\n", args)).text).toBe(
    "Changed f (1 edit). Matched only after forgiving quotes, dashes or spaces: edit 1.",
  );
});

test("TO-12: the diff of a huge line is small and made before the file is written", async () => {
  const { details, bytes } = await edit(`${"a".repeat(5_000_000)}x${"b".repeat(5_000_000)}`, {
    path: "f",
    edits,
  });
  expect(bytes?.length).toBe(10_000_001);
  expect(JSON.stringify(details).length).toBeLessThan(20_000);
});

test("TO-12: edits at both ends of a long file show both ends only", async () => {
  const middle = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join("");
  const args = {
    path: "f",
    edits: [
      { oldText: "first", newText: "1st" },
      { oldText: "final", newText: "end" },
    ],
  };
  expect((await edit(`first\n${middle}final\n`, args)).details).toEqual({
    diff: [
      "-1 first\n+1 1st\n 2 line 0\n 3 line 1\n 4 line 2\n ...",
      " 99999 line 99997\n 100000 line 99998\n 100001 line 99999\n-100002 final\n+100002 end\n",
    ].join("\n"),
    patch: [
      "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-first\n+1st\n line 0\n line 1\n line 2",
      "@@ -99999,4 +99999,4 @@\n line 99997\n line 99998\n line 99999\n-final\n+end\n",
    ].join("\n"),
    firstChangedLine: 1,
  });
});

test("B164, TO-11: links are followed, the cause of a refusal is named", async () => {
  const environment = createMemoryEnvironment({ files: { "/w/real": "x" } });
  environment.files.link("/w/link", "real");
  environment.files.put("/w/locked", new TextEncoder().encode("x"), 0o444);
  const tool = createEditTool({ cwd: "/w", environment });
  expect((await runTool(tool, { path: "link", edits })).isError).toBe(false);
  expect(Buffer.from(await environment.files.readFile("/w/real")).toString()).toBe("y");
  expect((await environment.files.readDirectory("/w")).find(({ name }) => name === "link")?.kind).toBe(
    "symlink",
  );
  expect((await runTool(tool, { path: "locked", edits })).text).toBe(
    "locked cannot be accessed: permission denied.",
  );
  expect((await runTool(tool, { path: ".", edits })).text).toBe(". is a directory.");
});

test("touching a file does not count as a change of it", async () => {
  const environment = createMemoryEnvironment({ files: { "/w/f": "x" } });
  const ledger = new FileLedger(environment.files);
  const tool = createEditTool({ cwd: "/w", environment, ledger });
  await runTool(tool, { path: "f", edits });
  environment.files.put("/w/f", await environment.files.readFile("/w/f"));
  expect((await runTool(tool, { path: "f", edits: [{ oldText: "y", newText: "z" }] })).isError).toBe(false);
});
