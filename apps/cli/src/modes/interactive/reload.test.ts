import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openApp } from "./testing/open-app.ts";

// The whole application, on a machine that does much else.
vi.setConfig({ testTimeout: 60_000 });

const ENTER = "\r";
const CTRL_C = "\u0003";
const GONE = "There is no file";
const WAIT = { timeout: 30_000, interval: 5 };

async function openWithSession(prompt = "water the beds") {
  const opened = await openApp();
  const { app, type, shown } = opened;
  if (prompt !== "") await app.agent.prompt(prompt);
  const path = app.agent.session.path ?? "";
  /** Reloads and waits until that has said so once more. */
  const reload = async (says: string) => {
    const count = () => shown().join("\n").split(says).length;
    const before = count();
    type(..."/reload", ENTER);
    await vi.waitFor(() => expect(count()).toBe(before + 1), WAIT);
  };
  return { ...opened, path, reload };
}

/** Takes the session's file away when its agent ends, once it is told which. */
const THIEF = `
import { readFileSync, renameSync } from "node:fs";
export default (api) =>
  api.on("session_shutdown", () => {
    const path = readFileSync(new URL("which", import.meta.url), "utf8");
    if (path !== "") renameSync(path, path + ".away");
  });
`;

test("where the session cannot be opened again, /reload says so, and the conversation goes on as it was", async () => {
  const { app, type, shown, editor, path, reload } = await openWithSession();
  const { agent } = app;
  await rename(path, `${path}.away`);
  await reload(GONE);
  expect(app.agent).toBe(agent);
  type(..."half a thought");
  expect(editor.getText()).toBe("half a thought");
  type(CTRL_C);
  expect(shown().join("\n")).toContain("› water the beds");
  await rename(`${path}.away`, path);
  await app.agent.prompt("prune the hedge");
  await reload("Read anew");
  expect(app.agent).not.toBe(agent);
  expect(shown().join("\n")).toContain("› prune the hedge");
});

test("a session that is lost while its agent is exchanged is opened by the next /reload", async () => {
  const { app, type, shown, path, reload, home } = await openWithSession();
  const folder = join(home, ".coppice/extensions");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "which"), "");
  await writeFile(join(folder, "thief.mjs"), THIEF);
  await reload("Read anew");
  await writeFile(join(folder, "which"), path);
  await reload(GONE);
  type(..."is anybody there?", ENTER);
  await vi.waitFor(() => expect(shown().join("\n")).toContain("This session is closed."), WAIT);
  await writeFile(join(folder, "which"), "");
  await rename(`${path}.away`, path);
  await reload("Read anew");
  await app.agent.prompt("prune the hedge");
  expect(shown().filter((line) => line.startsWith("› "))).toEqual(["› water the beds", "› prune the hedge"]);
});

test("where no agent can be made of what the files say, /reload says why and goes on with what they said before", async () => {
  const { app, reload, home } = await openWithSession("");
  const { agent } = app;
  await mkdir(join(home, ".coppice"), { recursive: true });
  await writeFile(join(home, ".coppice/settings.json"), '{"tools":["no-such-tool"]}');
  await reload("no-such-tool");
  expect(app.agent).not.toBe(agent);
  await app.agent.prompt("prune the hedge");
  await writeFile(join(home, ".coppice/settings.json"), "{}");
  await reload("Read anew");
});
