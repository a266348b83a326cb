import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "@coppice/ai/testing";
import { JsonlRepo } from "@coppice/session";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PickOptions } from "../layout.ts";
import { createPaint } from "../theme.ts";
import { Picker } from "../views/picker.ts";
import type { CommandHost, SlashCommand } from "./command.ts";
import { loginCommand } from "./login.ts";
import { modelCommand } from "./model.ts";
import { resumeCommand } from "./resume.ts";
import { settingsCommand } from "./settings.ts";

const [ENTER, ESCAPE, CTRL_C, UP, DOWN, BACKSPACE] = [
  ...["\r", "\u001b", "\u0003", "\u001b[A", "\u001b[B", "\u007f"],
] as const;
const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  "/model": modelCommand,
  "/resume": resumeCommand,
  "/settings": settingsCommand,
  "/login": loginCommand,
};
const MODELS = ["oak-large", "ash-mini", "birch-mini", "pine"].map((id) =>
  scriptedModel({ provider: "grove", id }),
);
const PROMPTS = ["prune the hedge", "count the rings", "water the beds", "sharpen the saw"];

async function storedSessions(directory: string, cwd: string): Promise<void> {
  const repo = new JsonlRepo({ directory });
  for (const [timestamp, content] of PROMPTS.entries()) {
    const session = await repo.create({ cwd });
    await session.appendMessage({ role: "user", content, timestamp });
    await session.close();
  }
}

function pickerOf(
  { title, choices, selected }: PickOptions,
  onDone: (value: string | undefined) => void,
): Picker {
  const marked = selected === undefined ? {} : { selected };
  return new Picker({ ...{ title, choices, onDone }, ...marked, paint: createPaint(false) });
}

/** Runs a command with sessions, models and settings of its own up to its list. */
async function opened(name: string) {
  const root = await mkdtemp(join(tmpdir(), "coppice-pickers-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  if (name === "/resume") await storedSessions(join(root, "sessions"), root);
  const asked = Promise.withResolvers<{ readonly options: PickOptions; readonly picker: Picker }>();
  const answers: (string | undefined)[] = [];
  const host = {
    known: { list: async () => MODELS, isUsable: () => true, logins: new Map() },
    agent: { model: MODELS[1], session: { cwd: root, path: undefined } },
    places: {
      sessionsDirectory: join(root, "sessions"),
      settingsFile: join(root, "settings.json"),
      authFile: join(root, "auth.json"),
    },
    setup: { settings: {} },
    pick(options: PickOptions) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const onDone = (value: string | undefined) => {
        answers.push(value);
        // What the command does with an answer is not looked at here.
        resolve(undefined);
      };
      asked.resolve({ options, picker: pickerOf(options, onDone) });
      return promise;
    },
  } as unknown as CommandHost;
  const over = COMMANDS[name]?.run(host, "");
  const { options, picker } = await asked.promise;
  return {
    ...{ options, picker, answers, over },
    type: (...keys: readonly string[]) => {
      for (const key of keys) picker.handleInput(key);
    },
    marked: (width = 200) =>
      picker
        .render(width)
        .find((line) => line.startsWith("→ "))
        ?.slice(2),
  };
}

describe.each(Object.keys(COMMANDS))("the list of %s", (name) => {
  test("UI-12: a query that is written out marks the row that it names, whatever was marked before", async () => {
    const { options, type, marked, answers, over } = await opened(name);
    expect(options.choices.length).toBeGreaterThan(3);
    for (const { label } of options.choices) {
      const query = label.split("  ")[0] ?? "";
      type(DOWN, DOWN, ...query);
      expect(marked()?.split("  ")[0]?.trim()).toBe(query);
      type(...Array.from(query, () => BACKSPACE));
    }
    type(CTRL_C);
    await over;
    expect(answers).toEqual([undefined]);
  });

  test("UI-12: what does not change the query keeps the marked row: another width, another theme, keys that mean nothing", async () => {
    const { options, picker, type, marked, answers, over } = await opened(name);
    type(DOWN);
    const before = marked();
    expect(before).toBeDefined();
    picker.invalidate();
    for (const width of [40, 10, 200]) picker.render(width);
    type("\u001b[5~x", "\u001b[I", "\u0007");
    expect(marked()).toBe(before);
    const index = options.choices.findIndex(({ value }) => value === options.selected);
    type(ENTER);
    await over;
    expect(answers).toEqual([options.choices[Math.max(0, index) + 1]?.value]);
  });

  test("UI-12: a list that has nothing for the query says so and stays, and Esc and Ctrl+C leave it with nothing chosen", async () => {
    for (const key of [ESCAPE, CTRL_C]) {
      const { picker, type, marked, answers, over } = await opened(name);
      const first = marked();
      type(..."zqzqzq", ENTER, UP, DOWN, ENTER);
      expect(picker.render(200)).toContain("  Nothing fits.");
      expect([marked(), answers]).toEqual([undefined, []]);
      type(...Array.from("zqzqzq", () => BACKSPACE));
      expect(marked()).toBeDefined();
      if (name !== "/model") expect(marked()).toBe(first);
      type(key);
      await over;
      expect(answers).toEqual([undefined]);
    }
  });
});

test("UI-12: /model marks the model in use first, and the whole list again when the query is gone", async () => {
  const { type, marked } = await opened("/model");
  expect(marked()).toMatch(/^grove\/ash-mini /);
  type(..."pine", ...Array.from("pine", () => BACKSPACE));
  expect(marked()).toMatch(/^grove\/oak-large /);
});
