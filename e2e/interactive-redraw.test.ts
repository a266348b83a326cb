import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { ask, isReady, isWorking, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { KEYS, openTerminal } from "./terminal.ts";

const [CTRL_O, CTRL_T] = ["\u000f", "\u0014"];
const LINES = 60;

/** A model whose answer comes line by line, each when it is told to. */
async function startPacedServer() {
  let next = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", async () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (delta: unknown, finish: string | null) =>
        response.write(
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
        );
      for (let line = 1; line <= LINES; line++) {
        send({ content: `${line % 7 === 0 ? "报错 " : ""}answer line ${line}\n\n` }, null);
        if (line % 20 === 0 && line < LINES) {
          await next.promise;
          next = Promise.withResolvers();
        }
      }
      send({}, "stop");
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    goOn: () => next.resolve(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

test("B206, UI-04, UI-14: resized and toggled while an answer streams, the screen ends as if it had been drawn anew", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await startPacedServer();
  const models = [{ id: "m", contextWindow: 100_000, maxTokens: 1_024 }];
  const paced = { baseUrl: server.baseUrl, api: "openai-completions", apiKey: "key", models };
  await mkdir(join(playground.home, ".coppice"), { recursive: true });
  await writeFile(join(playground.home, ".coppice/models.json"), JSON.stringify({ providers: { paced } }));
  const args = ["--model", "paced/m"];
  await using terminal = await openReady({ playground, args, columns: 80, rows: 24 });
  terminal.type(`stream${KEYS.enter}`);
  await terminal.until("a third", (screen) => /answer line 20$/m.test(screen));
  terminal.resize(80, 20);
  terminal.type(`${CTRL_O}half a draft`);
  server.goOn();
  await terminal.until(
    "two thirds",
    (screen) => /answer line 40$/m.test(screen) && screen.includes("half a draft"),
  );
  terminal.resize(120, 24);
  terminal.type(`${CTRL_T}${CTRL_O}`);
  server.goOn();
  const isOver = (screen: string) =>
    new RegExp(`answer line ${LINES}$`, "m").test(screen) && !isWorking(screen);
  await terminal.until("the end", (screen) => isOver(screen) && /paced\/m · \$0\.000$/.test(screen));
  const shown = terminal.screen().split("\n");
  // A screen that grew may keep rows free below.
  expect(shown.length).toBeLessThanOrEqual(24);
  expect(shown.slice(-5, -2).map((line) => line.trim())).toEqual([
    "─".repeat(120),
    "half a draft",
    "─".repeat(120),
  ]);
  // Nothing stands there twice.
  const all = terminal.everything();
  expect(all.split("› stream\n")).toHaveLength(2);
  for (const line of [1, 20, 21, 40, LINES]) expect(all.split(`answer line ${line}\n`)).toHaveLength(2);
  terminal.type(KEYS.ctrlC);
  await quit(terminal);

  await using again = openTerminal({ playground, args: [...args, "--continue"], columns: 120, rows: 24 });
  await again.until("the editor", (screen) => isReady(screen) && isOver(screen));
  const answerOf = (text: string) => text.split("\n").filter((line) => line.includes("answer line"));
  expect(answerOf(again.everything())).toEqual(answerOf(all));
  await quit(again);
});

test("B196: at 40 columns no list, table or view is wider than the screen", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground, columns: 40, rows: 50 });
  await ask(terminal, "explain this project", "demo");
  const shows = { help: "Ctrl+O", hotkeys: "Change them in", session: "compactions" };
  for (const [name, text] of Object.entries(shows)) {
    terminal.type(`/${name}${KEYS.enter}`);
    await terminal.until(name, (screen) => screen.includes(text));
  }
  for (const name of [
    "tree",
    "context",
    "model",
    "login",
    "settings",
    "thinking",
    "tools",
    "rewind",
    "permissions",
  ]) {
    terminal.type(`/${name}${KEYS.enter}`);
    await terminal.until(name, (screen) => screen.includes("→"));
    terminal.type(KEYS.escape);
    await terminal.until("the editor", (screen) => !screen.includes("→"));
  }
  expect(terminal.everything().replace(/\s+/g, " ")).not.toContain("fault of Coppice");
  await quit(terminal);
});
