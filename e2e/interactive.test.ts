import { join } from "node:path";
import { JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { layForeignProject, setTestScript } from "./foreign-project.ts";
import { createPlayground, type Playground, sessionFiles } from "./spawn-coppice.ts";
import { KEYS, openTerminal } from "./terminal.ts";

const TIMEOUT_MS = 120_000;

async function promptsOf(playground: Playground): Promise<readonly string[]> {
  const [path = "", ...others] = await sessionFiles(playground);
  expect(others).toEqual([]);
  const session = await new JsonlRepo({ directory: join(playground.home, ".coppice/sessions") }).open(path, {
    readOnly: true,
  });
  try {
    const { messages, diagnostics } = await session.buildContext();
    expect(diagnostics).toEqual([]);
    return messages.flatMap((message) => {
      if (message.role !== "user") return [];
      const { content } = message;
      return [
        typeof content === "string"
          ? content
          : content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      ];
    });
  } finally {
    await session.close();
  }
}

test("interactive: a prompt streams with tool cards, Esc stops a tool, the next prompt is answered, /quit restores the terminal", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createPlayground();
  const facts = await layForeignProject(playground);
  await setTestScript(playground, "echo begun; exec sleep 30");
  await using terminal = openTerminal({ playground, args: ["--model", "demo"] });
  await terminal.until(
    "the editor and the meter",
    (screen) => screen.includes("demo") && /[█░]/.test(screen),
  );

  terminal.type(`explain this project${KEYS.enter}`);
  await terminal.until("the answer", (screen) => screen.includes("offline demo"));
  const all = terminal.everything();
  expect(all).toContain("› explain this project");
  expect(all).toContain(facts.name);
  expect(all).toMatch(/✓ read README\.md \(ok/);

  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until(
    "the running card with its output",
    (screen) => /● bash .*\(running\)/.test(screen) && screen.includes("begun"),
  );
  expect(terminal.screen()).toContain("Esc to interrupt");
  terminal.type(KEYS.escape);
  await terminal.until(
    "the interruption",
    (screen) => screen.includes("Interrupted.") && !screen.includes("Esc to interrupt"),
  );
  expect(terminal.screen()).toMatch(/✗ bash/);

  terminal.type(`what did I ask so far?${KEYS.enter}`);
  await terminal.until("the second answer", (screen) => screen.includes("“explain this project”"));
  await terminal.until("rest", (screen) => !screen.includes("Esc to interrupt"));
  terminal.type(`/quit${KEYS.enter}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual({
    isAlternateScreen: false,
    isCursorHidden: false,
    isBracketedPaste: false,
  });
  expect(await promptsOf(playground)).toEqual([
    "explain this project",
    "run the tests",
    "what did I ask so far?",
  ]);
});
