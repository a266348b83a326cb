import { appendFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { seededSecrets } from "@coppice/coding-agent/testing";
import { expect, test, vi } from "vitest";
import { call, SessionText, text } from "./export-fixture.ts";
import { createPlayground, type Playground, runCoppice } from "./spawn-coppice.ts";

// Each case starts the program several times, on machines that have other things to do.
vi.setConfig({ testTimeout: 120_000 });

const SECRETS = seededSecrets(500, 31);
const SIGNATURE = `AKIA${"ABCDEFGH234567IJ"}`;

async function writeSession({ project }: Playground): Promise<string> {
  await mkdir(project, { recursive: true });
  const session = new SessionText();
  SECRETS.forEach(({ text: holder }, index) => {
    session.user(`u${index}`, `take ${holder}\u2028and go`);
    const thinking = { type: "thinking", thinking: holder, thinkingSignature: SIGNATURE };
    session.assistant(`a${index}`, [thinking, text("done"), call(`c${index}`, "bash", { command: holder })]);
  });
  const path = await session.writeTo(join(project, "session.jsonl"));
  await appendFile(path, `{"type":"message","torn ${SECRETS[9]?.text.split("\n")[0]}\n`);
  return path;
}

test("500 seeded secrets leave nothing in a redacted copy, and come back on this machine alone", async () => {
  await using playground = await createPlayground();
  const path = await writeSession(playground);
  const before = await readFile(path, "utf8");
  const run = await runCoppice({ playground, args: ["sessions", "redact", "./session.jsonl", "copy.jsonl"] });
  expect(run, run.stderr).toMatchObject({
    exitCode: 0,
    stdout: `${join(playground.project, "copy.jsonl")}\n`,
  });
  expect(run.stderr).toMatch(
    /^\d{3} secrets were replaced; the session itself still holds what it held\.\n$/,
  );
  expect(await readFile(path, "utf8")).toBe(before);

  const copy = await readFile(join(playground.project, "copy.jsonl"), "utf8");
  const leaks = SECRETS.filter(({ secret }) =>
    secret.split("\n").some((line) => copy.includes(JSON.stringify(line).slice(1, -1))),
  );
  expect(leaks).toEqual([]);
  // What only a provider can read stays as it was, and the copy is a session.
  expect(copy.split(SIGNATURE)).toHaveLength(SECRETS.length + 1);
  const shown = await runCoppice({ playground, args: ["sessions", "show", "./copy.jsonl"] });
  expect(shown.stdout).toContain("take [redacted:aws-access-key:");

  const folder = join(playground.home, ".coppice/redactions");
  const [kept = ""] = await readdir(folder);
  expect((await stat(join(folder, kept))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);

  const restored = await runCoppice({
    playground,
    args: ["sessions", "restore", "copy.jsonl", "back.jsonl"],
  });
  expect(restored, restored.stderr).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await readFile(join(playground.project, "back.jsonl"), "utf8")).toBe(before);

  await using elsewhere = await createPlayground();
  await mkdir(elsewhere.project, { recursive: true });
  const args = ["sessions", "restore", join(playground.project, "copy.jsonl"), "back.jsonl"];
  const foreign = await runCoppice({ playground: elsewhere, args });
  expect(foreign.exitCode).toBe(1);
  expect(foreign.stderr).toMatch(/^coppice: \d{3} placeholders are not known on this machine and stay\.\n$/);
  expect(await readFile(join(elsewhere.project, "back.jsonl"), "utf8")).toBe(copy);
});

test("500 seeded secrets leave nothing in an exported session file, which is a session still; --no-redact keeps them", async () => {
  await using playground = await createPlayground();
  const path = await writeSession(playground);
  const args = ["sessions", "export", "./session.jsonl", "moved.jsonl"];
  const run = await runCoppice({ playground, args });
  expect(run, run.stderr).toMatchObject({
    exitCode: 0,
    stdout: `${join(playground.project, "moved.jsonl")}\n`,
  });
  expect(run.stderr).toMatch(/^\d{3} secrets were replaced; look through the file before you share it\.\n$/);
  const moved = await readFile(join(playground.project, "moved.jsonl"), "utf8");
  const leaks = SECRETS.filter(({ secret }) =>
    secret.split("\n").some((line) => moved.includes(JSON.stringify(line).slice(1, -1))),
  );
  expect(leaks).toEqual([]);
  expect(moved.split(SIGNATURE)).toHaveLength(SECRETS.length + 1);
  const shown = await runCoppice({ playground, args: ["sessions", "show", "./moved.jsonl"] });
  expect(shown.stdout).toContain("take [redacted:aws-access-key:");
  const raw = [...args.slice(0, 3), "raw.jsonl", "--no-redact"];
  expect(await runCoppice({ playground, args: raw })).toMatchObject({
    exitCode: 0,
    stderr: "Secrets were not looked for; the file holds everything that the session holds.\n",
  });
  expect(await readFile(join(playground.project, "raw.jsonl"), "utf8")).toBe(await readFile(path, "utf8"));
});

test("a redacted copy replaces no file, and a session without secrets is copied as it is", async () => {
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  const session = new SessionText();
  session.user("u", "nothing to hide");
  const path = await session.writeTo(join(playground.project, "session.jsonl"));
  const args = ["sessions", "redact", "./session.jsonl"];
  const run = await runCoppice({ playground, args });
  expect(run.stdout).toBe(`${join(playground.project, "export-test.redacted.jsonl")}\n`);
  expect(await readFile(run.stdout.trim(), "utf8")).toBe(await readFile(path, "utf8"));
  expect(await readdir(join(playground.home, ".coppice/redactions")).catch(() => [])).toEqual([]);

  const again = await runCoppice({ playground, args });
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("is there already");
  expect((await readdir(playground.project)).sort()).toEqual(["export-test.redacted.jsonl", "session.jsonl"]);
});
