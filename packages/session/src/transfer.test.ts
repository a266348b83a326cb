import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import { JsonlRepo } from "./jsonl-repo.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import { FailingFiles, userMessage } from "./testing/index.ts";
import { hashOf, SessionFolder } from "./testing/session-folder.ts";
import { mergeSessionFiles } from "./transfer.ts";

const sample = join(import.meta.dirname, "../fixtures/pi-1.6.0-rich-tree.jsonl");
const withCode = (code: Parameters<typeof isSessionError>[1]) => (error: unknown) =>
  isSessionError(error, code);

test("SE-07: an import keeps every byte, and a second one is refused", async () => {
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: folder.directory });
  const session = await repo.import(sample);
  const path = session.path ?? "";
  expect(await readFile(path, "utf8")).toBe(await readFile(sample, "utf8"));
  await session.close();
  const before = await hashOf(path);
  await expect(repo.import(sample, { cwd: "/elsewhere" })).rejects.toSatisfy(withCode("exists"));
  expect([
    await hashOf(path),
    (await folder.files()).filter((name) => name.endsWith(".jsonl")).length,
  ]).toEqual([before, 1]);
});

test("SE-07, SE-11: an import into another working directory changes the header only", async () => {
  await using folder = await SessionFolder.create();
  const session = await new JsonlRepo({ directory: folder.directory }).import(sample, { cwd: "/elsewhere" });
  expect(session.cwd).toBe("/elsewhere");
  const [header, ...lines] = (await readFile(session.path ?? "", "utf8")).split("\n");
  const [original, ...originals] = (await readFile(sample, "utf8")).split("\n");
  expect(lines).toEqual(originals);
  expect(JSON.parse(header ?? "")).toEqual({ ...JSON.parse(original ?? ""), cwd: "/elsewhere" });
  await session.close();
});

test("SE-07: an import that fails at any operation leaves no part of a session behind", async () => {
  for (let failAt = 1, isOver = false; !isOver; failAt++) {
    await using folder = await SessionFolder.create();
    const fileSystem = new FailingFiles(nodeSessionFiles, failAt, "short");
    const repo = new JsonlRepo({ directory: folder.directory, fileSystem });
    const session = await repo.import(sample).catch(() => undefined);
    isOver = fileSystem.operations < failAt;
    const left = (await folder.files()).filter((name) => name.endsWith(".jsonl"));
    // Once the copy has its name, it is whole; a lock that cannot be taken does not undo it.
    expect(await listedIn(folder.directory)).toEqual(left);
    // Giving the lock back may be the operation that fails.
    await session?.close().catch(() => undefined);
  }
});

async function listedIn(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const item of new JsonlRepo({ directory }).list()) {
    if ("id" in item) names.push(item.path?.split("/").at(-1) ?? "");
  }
  return names;
}

test.each([
  ["hello\n", "not_a_session"],
  ["", "not_a_session"],
] as const)("SE-02: importing %j is refused and copies nothing", async (content, code) => {
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: join(folder.directory, "repo") });
  const path = await folder.write("x.jsonl", content);
  await expect(repo.import(path)).rejects.toSatisfy(withCode(code));
  await expect(repo.import(folder.directory)).rejects.toSatisfy(withCode("not_a_session"));
  await expect(repo.import(join(folder.directory, "none"))).rejects.toSatisfy(withCode("not_found"));
  expect(await folder.files()).toEqual(["x.jsonl"]);
});

test("an export is the session again; of its branch only, on request; and never replaces a file", async () => {
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: join(folder.directory, "repo") });
  const session = await repo.import(sample);
  const [all, branch] = [join(folder.directory, "all.jsonl"), join(folder.directory, "branch.jsonl")];
  await repo.export(session.id, all);
  await repo.export(session.id, branch, { only: "branch" });
  expect(await readFile(all, "utf8")).toBe(await readFile(sample, "utf8"));
  const exported = await repo.open(branch, { readOnly: true });
  expect([exported.id, exported.diagnostics]).toEqual([session.id, []]);
  expect((await exported.buildContext()).messages).toEqual((await session.buildContext()).messages);
  await writeFile(branch, "mine");
  await expect(repo.export(session.id, branch, { only: "branch" })).rejects.toSatisfy(withCode("exists"));
  expect(await readFile(branch, "utf8")).toBe("mine");
  await Promise.all([session.close(), exported.close()]);
});

test("SE-02: an export may change lines on the way: the others and torn ones keep their bytes, the session stays", async () => {
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: join(folder.directory, "repo") });
  const session = await repo.import(sample);
  await session.appendMessage(userMessage("the word is plugh"));
  const path = session.path ?? "";
  await session.close();
  const torn = Buffer.concat([
    await readFile(path),
    Buffer.from('{"type":"message","plugh \u2028'),
    Buffer.of(0xff),
  ]);
  await writeFile(path, torn);
  const changeLine = (line: string) => line.replaceAll("plugh", "*****").replace(session.cwd, "/gone");
  const [all, branch] = [join(folder.directory, "all.jsonl"), join(folder.directory, "branch.jsonl")];
  await repo.export(session.id, all, { changeLine: (line) => line });
  expect((await readFile(all)).equals(Buffer.concat([torn, Buffer.from("\n")]))).toBe(true);
  await repo.export(session.id, branch, { only: "branch", changeLine });
  const changed = await repo.open(branch, { readOnly: true });
  expect([changed.cwd, changed.diagnostics]).toEqual(["/gone", []]);
  expect(JSON.stringify((await changed.buildContext()).messages.at(-1))).toContain("the word is *****");
  await changed.close();
  expect(await readFile(branch, "utf8")).not.toContain("plugh");
  expect((await readFile(path)).equals(torn)).toBe(true);
});

test("two copies that went on apart become one file, and stay as they are", async () => {
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: folder.directory });
  const copies = await Promise.all(
    ["a", "b"].map(async (name) => folder.write(`${name}.jsonl`, await readFile(sample))),
  );
  for (const path of copies) {
    const session = await repo.open(path);
    await session.appendMessage(userMessage(`on ${path}`));
    await session.close();
  }
  const [a = "", b = ""] = copies;
  const before = await Promise.all(copies.map(hashOf));
  const target = join(folder.directory, "merged.jsonl");
  await mergeSessionFiles(a, b, target);
  const merged = await repo.open(target, { readOnly: true });
  const context = await merged.buildContext();
  expect(JSON.stringify(context.messages.at(-1))).toContain("on ");
  expect([merged.diagnostics, await Promise.all(copies.map(hashOf))]).toEqual([[], before]);
  await merged.close();
});
