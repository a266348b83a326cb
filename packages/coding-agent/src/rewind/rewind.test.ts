import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ScriptedBlock, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Environment } from "../env/environment.ts";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { LocalTree } from "../file-tree/local-tree.ts";
import { createScenario, type Scenario } from "../testing/scenario.ts";
import { createBuiltinTools } from "../tools/builtin-tools.ts";

let root = "";
let cwd = "";
const inProject = (name: string) => join(cwd, name);
const put = (name: string, text: string) => writeFile(inProject(name), text);
const held = (name: string) => readFile(inProject(name), "utf8").catch(() => undefined);
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, stdio: "pipe" });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "coppice-rewind-"));
  cwd = join(root, "project");
  execFileSync("mkdir", [cwd]);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Each prompt makes one round of calls and then answers. */
async function agentThatDoes(
  rounds: readonly (readonly ScriptedBlock[])[],
  changed: Partial<Environment> = {},
): Promise<Scenario> {
  const local = createLocalEnvironment({
    environmentVariables: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const environment = { ...local, ...changed };
  return createScenario({
    ...{ cwd, environment, tools: undefined as never, now: Date.now },
    snapshots: { directory: join(root, "snapshots") },
    answers: rounds.flatMap((calls) => [{ content: calls }, { content: [scriptedText("done")] }]),
  });
}

const write = (path: string, content: string) => scriptedToolCall("write", { path, content });
const edit = (path: string, oldText: string, newText: string) =>
  scriptedToolCall("edit", { path, edits: [{ oldText, newText }] });
const bash = (command: string) => scriptedToolCall("bash", { command });

test("moving back with the files undoes what the run did, and moving forth does it again", async () => {
  await put("kept.txt", "one\n");
  await chmod(inProject("kept.txt"), 0o755);
  const { agent } = await agentThatDoes([
    [edit("kept.txt", "one", "two"), write("made.txt", "new\n")],
    [edit("kept.txt", "two", "three")],
  ]);
  await agent.prompt("first");
  const first = agent.session.getLeafId();
  await agent.prompt("second");
  const second = agent.session.getLeafId();

  expect((await agent.navigate(first, { restoreFiles: true })).files).toEqual({
    restored: [inProject("kept.txt")],
    removed: [],
    kept: [],
  });
  expect([await held("kept.txt"), await held("made.txt")]).toEqual(["two\n", "new\n"]);
  expect((await agent.navigate(null, { restoreFiles: true })).files?.removed).toEqual([
    inProject("made.txt"),
  ]);
  expect([await held("kept.txt"), await held("made.txt")]).toEqual(["one\n", undefined]);
  await agent.navigate(second, { restoreFiles: true });
  expect([await held("kept.txt"), await held("made.txt")]).toEqual(["three\n", "new\n"]);
  expect((await stat(inProject("kept.txt"))).mode & 0o777).toBe(0o755);
  await agent.dispose();
});

test("what somebody else changed since stays and is told; the rest is put back", async () => {
  await put("a.txt", "a\n");
  await put("b.txt", "b\n");
  const { agent } = await agentThatDoes([
    [edit("a.txt", "a", "A"), edit("b.txt", "b", "B"), write("c.txt", "c")],
  ]);
  await agent.prompt("go");
  await put("a.txt", "mine\n");
  await put("c.txt", "mine as well\n");
  expect(await agent.previewFiles(null)).toEqual({
    restored: [inProject("b.txt")],
    removed: [],
    kept: [
      { path: inProject("a.txt"), reason: "changed by somebody else" },
      { path: inProject("c.txt"), reason: "changed by somebody else" },
    ],
  });
  expect(await held("b.txt")).toBe("B\n");
  await agent.navigate(null, { restoreFiles: true });
  expect([await held("a.txt"), await held("b.txt"), await held("c.txt")]).toEqual([
    "mine\n",
    "b\n",
    "mine as well\n",
  ]);
  await agent.dispose();
});

test("the talk alone moves by default", async () => {
  await put("a.txt", "a\n");
  const { agent } = await agentThatDoes([[edit("a.txt", "a", "A")]]);
  await agent.prompt("go");
  expect(await agent.navigate(null)).not.toHaveProperty("files");
  expect(await held("a.txt")).toBe("A\n");
  await agent.dispose();
});

test("files alone go back without moving; the model is told, and they can be brought forth again", async () => {
  await put("a.txt", "a\n");
  const { agent, eventsOf } = await agentThatDoes([[edit("a.txt", "a", "A"), write("made.txt", "m")]]);
  await agent.prompt("go");
  const leaf = agent.session.getLeafId();
  await agent.restoreFiles(null);
  expect([await held("a.txt"), await held("made.txt")]).toEqual(["a\n", undefined]);
  const { messages } = await agent.session.buildContext();
  expect(JSON.stringify(messages.at(-1))).toContain("put files back");
  expect(JSON.stringify(messages.at(-1))).toContain("a.txt");
  expect(eventsOf("files_restored")).toHaveLength(1);
  await agent.restoreFiles(leaf);
  expect([await held("a.txt"), await held("made.txt")]).toEqual(["A\n", "m"]);
  await agent.dispose();
});

test("a command's changes are taken back: of files that git keeps, of others, and of those it made or removed", async () => {
  await put("clean.txt", "clean\n");
  await put("gone.txt", "gone\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "x");
  await put("untracked.txt", "untracked\n");
  const { agent } = await agentThatDoes([
    [bash("echo changed > clean.txt; echo changed >> untracked.txt; rm gone.txt; echo made > made.txt")],
  ]);
  await agent.prompt("go");
  expect(await held("clean.txt")).toBe("changed\n");
  const { files } = await agent.navigate(null, { restoreFiles: true });
  expect(files?.kept).toEqual([]);
  expect(
    await Promise.all(["clean.txt", "untracked.txt", "gone.txt", "made.txt"].map((name) => held(name))),
  ).toEqual(["clean\n", "untracked\n", "gone\n", undefined]);
  await agent.dispose();
});

test("where the repository converts what it checks out, its object is not taken for the file", async () => {
  await put(".gitattributes", "*.txt text eol=crlf\n");
  await put("crlf.txt", "one\r\ntwo\r\n");
  git("init", "-q");
  git("add", ".");
  const { agent } = await agentThatDoes([[bash("echo changed > crlf.txt")]]);
  await agent.prompt("go");
  await agent.navigate(null, { restoreFiles: true });
  expect(["changed\n", "one\r\ntwo\r\n"]).toContain(await held("crlf.txt"));
  await agent.dispose();
});

test("a change that somebody else made before a command is not the command's", async () => {
  await put("theirs.txt", "old\n");
  const { agent } = await agentThatDoes([[bash("echo 1 > made.txt")], [bash("echo 2 > made.txt")]]);
  await agent.prompt("go");
  await put("theirs.txt", "new\n");
  const { ctimeMs } = await stat(inProject("theirs.txt"));
  while (Date.now() < ctimeMs + 50) await new Promise((resolve) => setTimeout(resolve, 10));
  await agent.prompt("again");
  const { files } = await agent.navigate(null, { restoreFiles: true });
  expect(files).toMatchObject({ restored: [], removed: [inProject("made.txt")], kept: [] });
  expect(await held("theirs.txt")).toBe("new\n");
  await agent.dispose();
});

test("what a command found is what is put back, also where somebody else had just changed or made it", async () => {
  await put("theirs.txt", "old\n");
  const { agent } = await agentThatDoes([
    [bash("true")],
    [bash("echo agent >> theirs.txt; echo agent >> new.txt")],
  ]);
  await agent.prompt("go");
  await put("theirs.txt", "mine\n");
  await put("new.txt", "mine as well\n");
  await agent.prompt("again");
  expect(await held("new.txt")).toBe("mine as well\nagent\n");
  const { files } = await agent.navigate(null, { restoreFiles: true });
  expect(files).toMatchObject({ removed: [], kept: [] });
  expect([await held("theirs.txt"), await held("new.txt")]).toEqual(["mine\n", "mine as well\n"]);
  await agent.dispose();
});

test("a file that came while a command ran may be somebody else's: it is moved, never deleted", async () => {
  const { agent } = await agentThatDoes([
    [write("own.txt", "own\n")],
    [bash("echo more >> own.txt; while [ ! -s sub/theirs.txt ]; do sleep 0.02; done; echo 1 > made.txt")],
  ]);
  await agent.prompt("go");
  const going = agent.prompt("again");
  await vi.waitFor(async () => expect(await held("own.txt")).toBe("own\nmore\n"), { timeout: 30_000 });
  await mkdir(inProject("sub"));
  await put("sub/theirs.txt", "a day's work\n");
  await going;
  const last = agent.session.getLeafId();
  const moved = [inProject("made.txt"), inProject("sub/theirs.txt")];
  const all = join(root, "snapshots", "set-aside");
  const removed = [moved[0], inProject("own.txt"), moved[1]];
  expect(await agent.previewFiles(null)).toMatchObject({
    ...{ removed, setAside: { paths: moved, directory: all } },
  });
  expect(await readdir(join(root, "snapshots"))).not.toContain("set-aside");

  const { files } = await agent.navigate(null, { restoreFiles: true });
  expect(files).toMatchObject({ removed, setAside: { paths: moved }, kept: [] });
  expect(await Promise.all(["own.txt", "made.txt", "sub/theirs.txt"].map(held))).toEqual(Array(3));
  const aside = files?.setAside?.directory ?? "";
  expect(dirname(aside)).toBe(all);
  expect((await readdir(aside)).toSorted()).toEqual(["made.txt", "sub"]);
  const copy = join(aside, "sub/theirs.txt");
  expect(await readFile(copy, "utf8")).toBe("a day's work\n");
  expect([(await stat(copy)).mode & 0o777, (await stat(join(aside, "sub"))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);

  await agent.navigate(last, { restoreFiles: true });
  expect(await held("sub/theirs.txt")).toBe("a day's work\n");
  await agent.restoreFiles(null);
  const told = (await agent.getContext()).messages.map((message) => JSON.stringify(message)).join("\n");
  expect(told).toContain("What came during a command lies in ");
  expect(await held("sub/theirs.txt")).toBeUndefined();
  expect(await readdir(all)).toHaveLength(2);
  await agent.dispose();
});

test("a file that is written to while it is set aside stays", async () => {
  const { files } = createLocalEnvironment({ environmentVariables: {} });
  let isRestoring = false;
  const readFile = async (path: string) => {
    const content = await files.readFile(path);
    if (isRestoring && path.endsWith("made.txt")) await writeFile(path, "1\n", { flag: "a" });
    return content;
  };
  const { agent } = await agentThatDoes([[bash("printf '1\\n' > made.txt")]], {
    files: { ...files, readFile } as never,
  });
  await agent.prompt("go");
  isRestoring = true;
  const { files: outcome } = await agent.navigate(null, { restoreFiles: true });
  expect(outcome).toMatchObject({ removed: [], kept: [{ path: inProject("made.txt") }] });
  expect(await held("made.txt")).toMatch(/^1\n1\n/);
  await agent.dispose();
});

test("where a file cannot be set aside it stays", async () => {
  const { agent } = await agentThatDoes([[bash("echo 1 > made.txt")]]);
  await agent.prompt("go");
  await writeFile(join(root, "snapshots", "set-aside"), "in the way");
  expect((await agent.navigate(null, { restoreFiles: true })).files).toEqual({
    ...{ restored: [], removed: [] },
    kept: [{ path: inProject("made.txt"), reason: "cannot be written" }],
  });
  expect(await held("made.txt")).toBe("1\n");
  await agent.dispose();
});

const inThread = { openTree: (root: string) => new LocalTree({ root, maxFilesHere: 0 }) };

test("in a large tree a command's changes are named and taken back, also those that the system did not report", async () => {
  await put("linked.txt", "linked\n");
  await put("seen.txt", "seen\n");
  // Written by its other name it changes without a word about this one.
  await link(inProject("linked.txt"), join(root, "other-name"));
  const { agent, eventsOf } = await agentThatDoes(
    [[bash("echo changed > ../other-name; echo changed > seen.txt; mkdir -p d/e; echo made > d/e/made.txt")]],
    inThread,
  );
  await agent.prompt("go");
  expect(eventsOf("tool_execution_end")[0]?.result.details).toMatchObject({
    modifiedFiles: expect.arrayContaining(["d/e/made.txt", "seen.txt"]),
  });
  expect(await held("linked.txt")).toBe("changed\n");
  expect((await agent.navigate(null, { restoreFiles: true })).files).toMatchObject({
    restored: [inProject("linked.txt"), inProject("seen.txt")],
    removed: [inProject("d/e/made.txt")],
    kept: [],
  });
  expect([await held("linked.txt"), await held("seen.txt")]).toEqual(["linked\n", "seen\n"]);
  await agent.dispose();
});

test("in a large tree, too, what somebody else changed after a command is not the command's", async () => {
  await put("theirs.txt", "old\n");
  await put("both.txt", "old\n");
  const { agent } = await agentThatDoes([[bash("echo 1 > both.txt")], [bash("true")]], inThread);
  await agent.prompt("go");
  await put("theirs.txt", "mine\n");
  await put("both.txt", "mine\n");
  await agent.prompt("again");
  expect((await agent.navigate(null, { restoreFiles: true })).files).toEqual({
    restored: [],
    removed: [],
    kept: [{ path: inProject("both.txt"), reason: "changed by somebody else" }],
  });
  expect([await held("theirs.txt"), await held("both.txt")]).toEqual(["mine\n", "mine\n"]);
  await agent.dispose();
});

test("a command that changes hundreds of files is taken back as a whole", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `many/${at}.txt`);
  await mkdir(inProject("many"));
  for (const name of names) await put(name, `${name}\n`);
  git("init", "-q");
  git("add", ".");
  const { agent } = await agentThatDoes([[bash("for f in many/*; do echo more >> $f; done")]], inThread);
  await agent.prompt("go");
  expect((await agent.navigate(null, { restoreFiles: true })).files).toMatchObject({ kept: [], removed: [] });
  expect(await Promise.all(names.map(held))).toEqual(names.map((name) => `${name}\n`));
  await agent.dispose();
});

test("a path that leads elsewhere by now is not followed", async () => {
  const { agent } = await agentThatDoes([[write("sub/a.txt", "run\n"), write("b.txt", "same\n")]]);
  await agent.prompt("go");
  await mkdir(join(root, "outside"));
  await rename(inProject("sub/a.txt"), join(root, "outside/a.txt"));
  await rm(inProject("sub"), { recursive: true });
  await symlink(join(root, "outside"), inProject("sub"));
  await writeFile(join(root, "other.txt"), "same\n");
  await rm(inProject("b.txt"));
  await symlink(join(root, "other.txt"), inProject("b.txt"));
  const { files } = await agent.navigate(null, { restoreFiles: true });
  expect(files).toMatchObject({ restored: [], removed: [] });
  expect(files?.kept).toHaveLength(2);
  expect(await readFile(join(root, "outside/a.txt"), "utf8")).toBe("run\n");
  expect(await readFile(inProject("b.txt"), "utf8")).toBe("same\n");
  await agent.dispose();
});

test("a version that is damaged or gone is not written over the file", async () => {
  await put("a.txt", "a\n");
  const { agent } = await agentThatDoes([[edit("a.txt", "a", "A")]]);
  await agent.prompt("go");
  await rm(join(root, "snapshots", "blobs"), { recursive: true });
  expect((await agent.navigate(null, { restoreFiles: true })).files?.kept).toEqual([
    { path: inProject("a.txt"), reason: "no copy of that version" },
  ]);
  expect(await held("a.txt")).toBe("A\n");
  await agent.dispose();
});

test("snapshots are private, and an agent without them says that files cannot be put back", async () => {
  await put("a.txt", "a\n");
  const { agent } = await agentThatDoes([[edit("a.txt", "a", "A")]]);
  await agent.prompt("go");
  const modeOf = async (...names: readonly string[]) =>
    (await stat(join(root, "snapshots", ...names))).mode & 0o777;
  const [journal = ""] = await readdir(join(root, "snapshots", "journals"));
  expect([
    await modeOf(),
    await modeOf("journals"),
    await modeOf("journals", journal),
    await modeOf("blobs"),
  ]).toEqual([0o700, 0o700, 0o600, 0o700]);
  await agent.dispose();
  const environment = createLocalEnvironment({ environmentVariables: {} });
  const without = await createScenario({ cwd, tools: createBuiltinTools({ cwd, environment }), answers: [] });
  await expect(without.agent.restoreFiles(null)).rejects.toMatchObject({ code: "rewind_unavailable" });
});
