import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const SCRIPT = `
import { createRequire } from "node:module";
import { scriptedModel, scriptedStream } from "@coppice/ai/testing";
import { createCodingAgent, createLocalConfigFiles, loadSettings } from "@coppice/coding-agent";
const loaded = () =>
  ["jsonc-parser", "yaml", "proper-lockfile"].filter((name) =>
    Object.keys(createRequire("/").cache).some((path) => path.includes("/node_modules/" + name + "/")));
const agent = await createCodingAgent({ cwd: "/nowhere", model: scriptedModel(), streamFunction: scriptedStream(["hi"]) });
await agent.prompt("hello");
await loadSettings({ files: createLocalConfigFiles(), userPath: "/nowhere/settings.json", isProjectTrusted: false });
const before = loaded();
await loadSettings({ files: { read: async () => "{}" }, userPath: "/settings.json", isProjectTrusted: false });
console.log(JSON.stringify({ before, after: loaded() }));
`;

test("an agent without settings, skills and locks loads no library for them", () => {
  const run = spawnSync(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module", "--eval", SCRIPT],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  expect(run.stderr).toBe("");
  expect(JSON.parse(run.stdout)).toEqual({ before: [], after: ["jsonc-parser"] });
});
