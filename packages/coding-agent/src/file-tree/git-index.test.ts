import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { GitIndex, TrackedFile } from "./git-index.ts";
import { parseGitIndex } from "./parse-git-index.ts";

const NAMES = ["a.txt", "folder/b.txt", `folder/${"long".repeat(40)}.txt`, "größe.txt", "z"];

function entriesOf(index: GitIndex): readonly (readonly [name: string, file: TrackedFile])[] {
  return Array.from({ length: index.size }, (_, entry) => [index.pathAt(entry), index.fileAt(entry)]);
}

test.each([2, 3, 4])("an index of version %i gives every tracked file as git lists it", async (version) => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-index-"));
  try {
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder }).toString();
    await mkdir(join(folder, "folder"));
    for (const name of NAMES) await writeFile(join(folder, name), `content of ${name}`);
    git("init", "-q");
    git("add", ".");
    // An entry with more flags makes version 3 out of 2.
    if (version === 3) git("update-index", "--skip-worktree", "z");
    else git("update-index", `--index-version=${version}`);
    const index = parseGitIndex(await readFile(join(folder, ".git/index")));
    const listed = git("ls-files", "-s", "-z")
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => {
        const [head = "", name = ""] = line.split("\t");
        return [name, head.split(" ")[1]];
      });
    const entries = entriesOf(index);
    expect(entries.map(([name, { objectId }]) => [name, objectId])).toEqual(listed);
    for (const [at, [name, { sizeBytes, modifiedAtMs }]] of entries.entries()) {
      expect(index.entryOf(name)).toBe(at);
      const info = await stat(join(folder, name));
      expect(sizeBytes).toBe(info.size);
      expect(Math.abs(modifiedAtMs - info.mtimeMs)).toBeLessThan(1);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("what is no index, or is cut off anywhere, gives what stands before and no error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-index-"));
  try {
    for (const name of ["a", "b", "c"]) await writeFile(join(folder, name), name);
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["add", "."], { cwd: folder });
    const whole = await readFile(join(folder, ".git/index"));
    const names = Array.from({ length: whole.length }, (_, end) => [
      ...entriesOf(parseGitIndex(whole.subarray(0, end))).map(([name]) => name),
    ]);
    expect(names.every((found) => "abc".startsWith(found.join("")))).toBe(true);
    expect(parseGitIndex(Buffer.from("no index at all")).size).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** An index of version 2 or 4 with these files, whose objects are named by one byte. */
function written(version: 2 | 4, files: Readonly<Record<string, number>>): Uint8Array {
  const header = Buffer.from("DIRC00000000");
  header.writeUInt32BE(version, 4);
  const named = Object.entries(files)
    .map(([path, object]) => ({ name: Buffer.from(path), object }))
    .toSorted((a, b) => Buffer.compare(a.name, b.name));
  header.writeUInt32BE(named.length, 8);
  const entries = named.map(({ name, object }, at) => {
    const stat = Buffer.alloc(62);
    stat.fill(object, 40, 60);
    stat.writeUInt16BE(Math.min(name.length, 0xfff), 60);
    if (version === 2) return Buffer.concat([stat, name, Buffer.alloc(8 - ((62 + name.length) % 8))]);
    const before = named[at - 1]?.name ?? Buffer.alloc(0);
    const shared = [...before].findIndex((byte, place) => byte !== name[place]);
    const kept = shared < 0 ? before.length : shared;
    return Buffer.concat([stat, Buffer.of(before.length - kept), name.subarray(kept), Buffer.alloc(1)]);
  });
  return Buffer.concat([header, ...entries]);
}

test("every path is found and no other; what a newer index replaces is what the two of them tell", () => {
  const path = fc
    .array(fc.constantFrom("a", "b", "ä", "a-", "long-name"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));
  const tracked = fc.dictionary(path, fc.integer({ min: 1, max: 3 }), { maxKeys: 12 });
  const version = fc.constantFrom(2 as const, 4 as const);
  // Enough of the same for both that runs of them are passed over.
  const same = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a/${at}`, 1]));
  fc.assert(
    fc.property(tracked, tracked, fc.boolean(), version, version, path, (...given) => {
      const [olderOnly, newerOnly, isLarge, first, second, other] = given;
      const [older, newer] = [olderOnly, newerOnly].map((files) => ({
        ...(isLarge ? same : {}),
        ...files,
      })) as [Record<string, number>, Record<string, number>];
      const [before, after] = [parseGitIndex(written(first, older)), parseGitIndex(written(second, newer))];
      for (const [index, files] of [
        [before, older],
        [after, newer],
      ] as const) {
        expect([...index.paths()]).toEqual(entriesOf(index).map(([name]) => name));
        expect([...index.paths()]).toEqual(
          Object.keys(files).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        );
        for (const name of [...Object.keys(files), other]) {
          const entry = index.entryOf(name);
          expect(entry === undefined ? undefined : index.pathAt(entry)).toBe(
            name in files ? name : undefined,
          );
        }
      }
      const idOf = (object: number) => object.toString(16).padStart(2, "0").repeat(20);
      const replaced = [...after.replacedIn(before)].map(([name, { objectId }]) => [name, objectId]);
      const expected = Object.entries(older).filter(([name, object]) => newer[name] !== object);
      expect(Object.fromEntries(replaced)).toEqual(
        Object.fromEntries(expected.map(([name, object]) => [name, idOf(object)])),
      );
      expect(replaced).toHaveLength(expected.length);
    }),
  );
});

test("an index that claims more than it holds is read as far as it goes", () => {
  const index = Buffer.from(written(4, { "a/b": 1, "a/c": 2 }));
  index.writeUInt32BE(0xffffffff, 8);
  expect(entriesOf(parseGitIndex(index)).map(([name]) => name)).toEqual(["a/b", "a/c"]);
  // The second name drops more than the first one has.
  const dropping = Buffer.from(written(4, { "a/b": 1, "a/c": 2 }));
  dropping[12 + 62 + 1 + 3 + 1 + 62] = 0x7f;
  expect(entriesOf(parseGitIndex(dropping)).map(([name]) => name)).toEqual(["a/b"]);
});
