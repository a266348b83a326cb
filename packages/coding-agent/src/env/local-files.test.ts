import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalFiles } from "./local-files.ts";
import { createLocalScratch } from "./local-scratch.ts";

let folder = "";
let suffix = 0;
const files = createLocalFiles({ newSuffix: () => `${suffix++}` });
const bytes = (text: string) => new TextEncoder().encode(text);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coppice-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("B164: writing through a link changes its target and keeps the link", async () => {
  await writeFile(join(folder, "real.txt"), "old");
  await symlink("real.txt", join(folder, "link"));
  await files.writeFile(join(folder, "link"), bytes("new"));
  expect(await readlink(join(folder, "link"))).toBe("real.txt");
  expect(await readFile(join(folder, "real.txt"), "utf8")).toBe("new");
});

test("writing through a link to nothing makes its target", async () => {
  await symlink("sub/real.txt", join(folder, "link"));
  await files.writeFile(join(folder, "link"), bytes("new"));
  expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, "sub/real.txt"), "utf8")).toBe("new");
});

test("the mode of an existing file stays", async () => {
  const path = join(folder, "run.sh");
  await writeFile(path, "old");
  await chmod(path, 0o754);
  await files.writeFile(path, bytes("new"));
  expect((await stat(path)).mode & 0o7777).toBe(0o754);
});

test("a folder is not overwritten, and no temporary file is left", async () => {
  await expect(files.writeFile(folder, bytes("x"))).rejects.toMatchObject({ code: "EISDIR" });
  await files.writeFile(join(folder, "a"), bytes("x"));
  expect(await readdir(folder)).toEqual(["a"]);
});

test("a loop of links is reported, not followed for ever", async () => {
  await symlink("b", join(folder, "a"));
  await symlink("a", join(folder, "b"));
  await expect(files.writeFile(join(folder, "a"), bytes("x"))).rejects.toMatchObject({ code: "ELOOP" });
});

test("readRange reads what is there and no more", async () => {
  await writeFile(join(folder, "a"), "0123456789");
  expect(Buffer.from(await files.readRange(join(folder, "a"), 7, 100)).toString()).toBe("789");
  expect(await files.readRange(join(folder, "a"), 10, 100)).toHaveLength(0);
});

test("TO-22: scratch files and their folder are private", async () => {
  const scratch = createLocalScratch({ directory: folder });
  const [one, two] = [await scratch.create("same.log"), await scratch.create("same.log")];
  await one.append(bytes("a"));
  await one.append(bytes("b"));
  await Promise.all([one.close(), two.close()]);
  expect(await readFile(one.path, "utf8")).toBe("ab");
  expect(two.path).not.toBe(one.path);
  expect((await stat(one.path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(one.path, ".."))).mode & 0o777).toBe(0o700);
});
