import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScenario } from "@coppice/coding-agent/testing";
import { JsonlRepo, MemoryRepo } from "@coppice/session";
import { expect, onTestFinished, test } from "vitest";
import type { CommandHost } from "./command.ts";
import { exportCommand } from "./export.ts";

test("/export with a name that ends in .html writes the page, without secrets", {
  timeout: 60_000,
}, async () => {
  const cwd = await mkdtemp(join(tmpdir(), "coppice-export-"));
  try {
    const session = await new MemoryRepo().create({ cwd });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { agent } = await createScenario({ session, answers: [`the token is ${secret}`] });
    await agent.prompt("which token?");
    const notices: string[] = [];
    const host = {
      agent,
      places: {},
      notice: (text: string) => notices.push(text),
    } as unknown as CommandHost;
    await exportCommand.run(host, "talk.html");
    const html = await readFile(join(cwd, "talk.html"), "utf8");
    expect(html).toContain("which token?");
    expect(html).not.toContain(secret);
    expect(notices).toEqual([
      `Written to ${join(cwd, "talk.html")}\n1 secret was replaced; look through the page before you share it.`,
    ]);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});

test("/export writes a session file without secrets; --no-redact leaves them", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "coppice-export-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const places = { sessionsDirectory: join(cwd, "sessions") };
  const session = await new JsonlRepo({ directory: places.sessionsDirectory }).create({ cwd });
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const { agent } = await createScenario({ session, answers: [`the token is ${secret}`] });
  await agent.prompt("which token?");
  const notices: string[] = [];
  const host = { agent, places, notice: (text: string) => notices.push(text) } as unknown as CommandHost;
  await exportCommand.run(host, "");
  await exportCommand.run(host, "my talk.jsonl");
  await exportCommand.run(host, "raw talk.jsonl --no-redact");
  const paths = [`${session.id}.jsonl`, "my talk.jsonl", "raw talk.jsonl"].map((name) => join(cwd, name));
  const said = "1 secret was replaced; look through the file before you share it.";
  expect(notices).toEqual([
    `Written to ${paths[0]}\n${said}`,
    `Written to ${paths[1]}\n${said}`,
    `Written to ${paths[2]}\nSecrets were not looked for; the file holds everything that the session holds.`,
  ]);
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  expect(texts.map((text) => text.includes(secret))).toEqual([false, false, true]);
  expect(texts.every((text) => text.includes("which token?"))).toBe(true);
  await agent.dispose();
});

test("/export of a session that was not kept on disk says why there is no file", async () => {
  const session = await new MemoryRepo().create({ cwd: "/nowhere" });
  const { agent } = await createScenario({ session, answers: ["Hello."] });
  const notices: string[] = [];
  const host = { agent, places: {}, notice: (text: string) => notices.push(text) } as unknown as CommandHost;
  await exportCommand.run(host, "talk.jsonl");
  expect(notices).toEqual(["There is nothing in this session to export."]);
  await agent.prompt("hi");
  await expect(exportCommand.run(host, "talk.jsonl")).rejects.toMatchObject({ code: "usage" });
});
