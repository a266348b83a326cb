import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScenario } from "@coppice/coding-agent/testing";
import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
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
    const host = { agent, notice: (text: string) => notices.push(text) } as unknown as CommandHost;
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
