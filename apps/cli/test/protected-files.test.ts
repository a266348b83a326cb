import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createSandbox } from "./spawn-cli.ts";

const CANARY = "sk-canary-4711";

test("AU-08: a run that nobody watches neither shows the user's keys to the model nor changes what rules it", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, ".coppice");
  await mkdir(folder);
  await writeFile(join(folder, "auth.json"), JSON.stringify({ p: { type: "api_key", key: CANARY } }));
  await writeFile(join(folder, "settings.json"), '{"permissions": {"allow": ["read", "bash", "write"]}}');
  await symlink(join(folder, "auth.json"), join(sandbox.project, "notes.txt"));
  const calls = [
    scriptedToolCall("read", { path: "~/.coppice/auth.json" }),
    scriptedToolCall("read", { path: "@notes.txt" }),
    scriptedToolCall("bash", { command: "cd ~/.coppice && cat auth.json" }),
    scriptedToolCall("grep", { pattern: "canary", path: "~" }),
    scriptedToolCall("write", { path: "~/.coppice/settings.json", content: "{}" }),
    scriptedToolCall("bash", { command: "echo '{}' > $HOME/.coppice/trust.json" }),
  ];
  await using wire = await createWireServer({
    answers: [...calls.map((call) => ({ content: [call] })), { content: [scriptedText("done")] }],
  });
  const run = await sandbox.run(
    ["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "-p", "go"],
    { env: { COPPICE_API_KEY: "test-key" } },
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: "done\n" });
  const sent = JSON.stringify(wire.requests.map(({ body }) => body));
  expect(sent).not.toContain(CANARY);
  const last = JSON.stringify(wire.requests.at(-1)?.body);
  // Five are refused; the search is allowed and leaves the file out.
  expect(last.split("Not allowed: ").length - 1).toBe(5);
  expect(last).toContain("Matches in files that may not be read are left out.");
  expect(await readFile(join(folder, "settings.json"), "utf8")).toContain('"allow"');
  await expect(readFile(join(folder, "trust.json"))).rejects.toMatchObject({ code: "ENOENT" });
}, 90_000);
