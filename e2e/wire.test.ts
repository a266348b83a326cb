import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedThinking, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { describeServer } from "./own-server.ts";
import { createRedirectingServer } from "./redirecting-server.ts";
import { createPlayground, jsonLines, runCoppice, sessionFiles } from "./spawn-coppice.ts";

test.each([
  { api: "anthropic-messages", way: "its official SDK" },
  { api: "openai-completions", way: "its official SDK" },
  { api: "anthropic-messages", way: "the short way" },
  { api: "openai-completions", way: "the short way" },
])("over $api and $way: read a file, edit it, run a command, answer; never a 400", async ({ api, way }) => {
  await using playground = await createPlayground();
  await using server = await createWireServer({
    answers: [
      [
        scriptedThinking("The greeting is in greet.sh."),
        scriptedText("I'll read it."),
        scriptedToolCall("read", { path: "greet.sh" }),
      ],
      scriptedToolCall("edit", {
        path: "greet.sh",
        edits: [{ oldText: "echo hello", newText: "echo good morning" }],
      }),
      [scriptedText("Trying it."), scriptedToolCall("bash", { command: "sh greet.sh" })],
      (request) => `Done: it says «${request.turns.at(-1)?.text.trim()}».`,
    ],
  });
  // An address that has moved is nothing for the short way: the SDK follows it.
  await using moved = await createRedirectingServer();
  const isLong = way === "its official SDK";
  const baseUrl = isLong ? moved.movedFrom(server.baseUrl(api)) : server.baseUrl(api);
  await describeServer(playground, server, { api, baseUrl, contextWindow: 100_000 });
  const path = join(playground.project, "greet.sh");
  await writeFile(path, "#!/bin/sh\necho hello\n");

  const run = await runCoppice({
    playground,
    args: ["--model", "wire/wire-1", "-p", "make it greet the morning"],
  });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("Done: it says «good morning».");
  expect(await readFile(path, "utf8")).toBe("#!/bin/sh\necho good morning\n");
  expect(server.rejections).toEqual([]);
  expect(server.requests.map((request) => request.api)).toEqual([api, api, api, api]);
  // Both ways ask there: the short one first, which leaves it to the other.
  expect(moved.redirects).toBe(isLong ? 8 : 0);

  // The history goes back over the wire in a new process, reasoning and calls included.
  server.push(
    (request) => `I remember ${request.turns.filter((turn) => turn.role === "tool").length} results.`,
  );
  const again = await runCoppice({
    playground,
    args: ["--model", "wire/wire-1", "--continue", "-p", "what do you remember?"],
  });
  expect(again, again.stderr).toMatchObject({ exitCode: 0 });
  expect(again.stdout).toContain("I remember 3 results.");
  expect(server.rejections).toEqual([]);
  const [file = ""] = await sessionFiles(playground);
  const roles = jsonLines(await readFile(file, "utf8")).flatMap((entry) => {
    const message = entry.message as { readonly role: string } | undefined;
    return message === undefined || message.role === "system" ? [] : [message.role];
  });
  expect(roles).toEqual([
    "user",
    ...["assistant", "toolResult", "assistant", "toolResult", "assistant", "toolResult", "assistant"],
    ...["user", "assistant"],
  ]);
});
