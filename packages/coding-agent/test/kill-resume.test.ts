import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { textOf } from "@coppice/ai";
import { createScenario } from "@coppice/coding-agent/testing";
import { JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

test("B023: a process killed in the middle of a tool loses nothing, and the next one goes on", async () => {
  const cwd = await temporaryFolder();
  const directory = join(cwd, "sessions");
  const script = fileURLToPath(new URL("./hanging-agent.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@coppice/source", script, directory, cwd], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGKILL");
  await once(child, "exit");

  const session = await new JsonlRepo({ directory }).open(line.toString().trim());
  const { agent, model } = await createScenario({ cwd, session, answers: ["I look first"] });
  expect((await agent.getContext()).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  await agent.prompt("go on");
  const messages = model.requests[0]?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "user"]);
  const result = messages[2];
  expect(result).toMatchObject({ toolCallId: "call-1", isError: true });
  expect(result?.role === "toolResult" && textOf(result.content)).toContain(
    "outcome of this call is unknown",
  );
  await agent.dispose();
});
