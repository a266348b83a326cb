import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { JsonlRepo } from "@coppice/session";
import { expect, onTestFinished, test, vi } from "vitest";
import { seededSecrets } from "../testing/index.ts";
import { exportSessionFile } from "./export-session-file.ts";
import { redactSessionFile, restoreSessionFile } from "./secrets-at-rest.ts";

const SECRETS = seededSecrets(90, 17);

/** A folder that is gone after the test, with a session that holds the secrets and a torn last line. */
async function sessionWithSecrets() {
  const folder = await mkdtemp(join(tmpdir(), "coppice-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const repo = new JsonlRepo({ directory: join(folder, "sessions") });
  const session = await repo.create({ cwd: "/project" });
  const branchAt: string[] = [];
  for (const { text } of SECRETS)
    branchAt.push(await session.appendMessage({ role: "user", content: `${text}\u2028`, timestamp: 1 }));
  await session.moveTo(branchAt[2] ?? null);
  await session.appendMessage({ role: "user", content: "another way", timestamp: 1 });
  const path = session.path ?? "";
  await session.close();
  await writeFile(path, `{"type":"message","torn ${SECRETS[4]?.text.split("\n")[0]}`, { flag: "a" });
  return { folder, repo, id: session.id, path, at: (name: string) => join(folder, name) };
}

const leaksIn = (text: string) =>
  SECRETS.filter(({ secret }) =>
    secret.split("\n").some((line) => text.includes(JSON.stringify(line).slice(1, -1))),
  );

test("an exported session file holds no secret of a known form, whole or of one branch, and opens as a session", async () => {
  const { repo, id, path, at } = await sessionWithSecrets();
  const before = await readFile(path);
  const { redactedSecrets } = await exportSessionFile(repo, { session: id, target: at("all.jsonl") });
  expect(redactedSecrets).toBeGreaterThanOrEqual(SECRETS.length);
  const text = await readFile(at("all.jsonl"), "utf8");
  expect(leaksIn(text)).toEqual([]);
  expect(text.split("\n")).toHaveLength(before.toString().split("\n").length + 1);
  const branch = await exportSessionFile(repo, { session: id, target: at("branch.jsonl"), only: "branch" });
  expect(branch.redactedSecrets).toBeGreaterThan(0);
  expect(branch.redactedSecrets).toBeLessThan(redactedSecrets ?? 0);
  expect(leaksIn(await readFile(at("branch.jsonl"), "utf8"))).toEqual([]);
  const opened = await repo.open(at("branch.jsonl"), { readOnly: true });
  expect(JSON.stringify((await opened.buildContext()).messages)).toContain("[redacted:");
  await opened.close();
  expect((await stat(at("all.jsonl"))).mode & 0o077).toBe(0);
  expect((await readFile(path)).equals(before)).toBe(true);
});

test("on request an export keeps everything", async () => {
  const { repo, id, path, at } = await sessionWithSecrets();
  const options = { session: id, target: at("all.jsonl"), isRedacted: false };
  expect(await exportSessionFile(repo, options)).toEqual({ redactedSecrets: null });
  expect(await readFile(at("all.jsonl"), "utf8")).toBe(`${await readFile(path, "utf8")}\n`);
});

test("a redacted copy holds no secret, and comes back byte for byte with the folder of what was taken out", async () => {
  const { path, at, folder } = await sessionWithSecrets();
  const [directory, copy] = [at("redactions"), at("copy.jsonl")];
  const { redactedSecrets } = await redactSessionFile({ source: path, target: copy, directory });
  expect(redactedSecrets).toBeGreaterThanOrEqual(SECRETS.length);
  expect(leaksIn(await readFile(copy, "utf8"))).toEqual([]);
  const [kept = ""] = await readdir(directory);
  expect((await stat(join(directory, kept))).mode & 0o777).toBe(0o600);
  const back = await restoreSessionFile({ source: copy, target: at("back.jsonl"), directory });
  expect(back).toEqual({ unknownPlaceholders: 0 });
  expect(await readFile(at("back.jsonl"), "utf8")).toBe(`${await readFile(path, "utf8")}\n`);
  const elsewhere = { source: copy, target: at("foreign.jsonl"), directory: join(folder, "empty") };
  expect((await restoreSessionFile(elsewhere)).unknownPlaceholders).toBe(redactedSecrets);
  expect(await readFile(at("foreign.jsonl"), "utf8")).toBe(await readFile(copy, "utf8"));
});

test("neither replaces a file, nor leaves one behind where it fails", async () => {
  const { path, at, folder } = await sessionWithSecrets();
  await writeFile(at("mine"), "mine");
  const options = { source: path, target: at("mine"), directory: at("redactions") };
  await expect(redactSessionFile(options)).rejects.toMatchObject({ code: "file_exists" });
  await expect(restoreSessionFile(options)).rejects.toMatchObject({ code: "file_exists" });
  // A taken name is told before anything is read.
  await expect(redactSessionFile({ ...options, source: at("none") })).rejects.toMatchObject({
    code: "file_exists",
  });
  await expect(
    redactSessionFile({ ...options, source: at("none"), target: at("new") }),
  ).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(await readFile(at("mine"), "utf8")).toBe("mine");
  expect((await readdir(folder)).sort()).toEqual(["mine", "sessions"]);
});

test("a name that is taken while the copy is written keeps no secret anywhere", async () => {
  const { path, at, folder } = await sessionWithSecrets();
  await promisify(execFile)("mkfifo", [at("source")]);
  const options = { source: at("source"), target: at("copy"), directory: at("redactions") };
  const running = redactSessionFile(options);
  await vi.waitFor(async () =>
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toHaveLength(1),
  );
  await writeFile(at("copy"), "mine");
  await writeFile(at("source"), await readFile(path));
  await expect(running).rejects.toMatchObject({ code: "file_exists" });
  expect(await readFile(at("copy"), "utf8")).toBe("mine");
  expect(await readdir(at("redactions"))).toEqual([]);
});

test("a line without secrets keeps its bytes, whatever they are, through the copy and back", async () => {
  const { at } = await sessionWithSecrets();
  const [secret] = SECRETS;
  const lines = [
    Buffer.from('{"type":"session", "n": 1.0, "escaped": "\\u0041"}\r'),
    Buffer.of(0xff, 0xfe, 0x00, 0xc3, 0x28),
    Buffer.from(""),
    Buffer.from(JSON.stringify({ type: "message", text: secret?.text })),
    Buffer.from("\ufeff{}\u2028"),
  ];
  const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
  await writeFile(at("source"), bytes);
  const directory = at("redactions");
  await redactSessionFile({ source: at("source"), target: at("copy"), directory });
  const copied = (await readFile(at("copy"), "latin1")).split("\n");
  for (const index of [0, 1, 2, 4]) expect(copied[index]).toBe(lines[index]?.toString("latin1"));
  expect(copied[3]).toContain("[redacted:");
  await restoreSessionFile({ source: at("copy"), target: at("back"), directory });
  expect(await readFile(at("back"), "latin1")).toBe(bytes.toString("latin1"));
});
