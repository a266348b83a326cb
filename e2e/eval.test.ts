import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { createPlayground, runCoppice } from "./spawn-coppice.ts";

test("coppice eval: after three compactions every fact of a session is in the context or one recall away", {
  timeout: 120_000,
}, async () => {
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  const { exitCode, stdout, stderr } = await runCoppice({
    playground,
    args: ["eval", "--sessions", "1", "--seed", "7"],
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/\| coppice \| changed files \| 8 \| 8 \| 0 \| 0 \| 0 \| 100 % \| 100 % \|/);
  expect(stdout).toMatch(/coppice: 1 sessions, \d+ compactions, \d+ turns of filler, 0 refused requests\./);
});

test("coppice eval: an agent that nobody knows is refused with those that are known", {
  timeout: 60_000,
}, async () => {
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  const { exitCode, stderr } = await runCoppice({ playground, args: ["eval", "emacs"] });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no adapter for "emacs"; known are coppice, pi and pi=<file>');
});
