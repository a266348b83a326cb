import type { AgentHarness } from "@coppice/coding-agent";
import { createMemoryEnvironment } from "@coppice/coding-agent/testing";
import { expect, test } from "vitest";
import type { Setup } from "../../setup.ts";
import { CommandLines, commandNames } from "./command-lines.ts";
import type { CommandHost } from "./commands/command.ts";

const extension = { owner: "x", handler: () => undefined };
const agent = {
  commands: [
    { name: "deploy", description: "ships it", argumentHint: "[where]", ...extension },
    { name: "help", description: "of an extension", ...extension },
  ],
  runCommand: async (name: string, args: string) => `${name} ran with “${args}”`,
} as unknown as AgentHarness;

const template = {
  description: "looks",
  argumentHint: "[place]",
  path: "/t/look.md",
  source: "user",
} as const;
const setup = {
  settings: {},
  skills: [{ name: "prune", description: "cuts back" }],
  templates: [{ name: "look", template: "find TODOs in $1", ...template }],
} as unknown as Setup;

async function run(line: string, settings = {}) {
  const log: string[] = [];
  const done = Promise.withResolvers<void>();
  const host = {
    ...{ agent, setup: { ...setup, settings } },
    notice: (text: string) => log.push(text),
    prependToEditor: (text: string) => log.push(`editor: ${text}`),
    quit: () => log.push("quit"),
  } as unknown as CommandHost;
  const lines = new CommandLines({
    ...{ host, files: createMemoryEnvironment({ files: {} }).files },
    send: (text) => log.push(`sent: ${text}`),
    fail: (error) => log.push(String(error)),
    onDone: done.resolve,
  });
  if (!lines.run(line)) return "a prompt";
  await done.promise;
  return log;
}

test("names of the program go before those of extensions, templates and skills; each name is there once", () => {
  const names = commandNames({ agent, setup });
  expect(names.filter(({ name }) => name === "help")).toMatchObject([
    { help: expect.stringContaining("footer") },
  ]);
  expect(names.slice(-3)).toMatchObject([
    { name: "deploy", help: "ships it", argument: "[where]" },
    { name: "look", help: "looks", argument: "[place]" },
    { name: "skill:prune", help: "cuts back" },
  ]);
  const without = commandNames({ agent, setup: { ...setup, settings: { enableSkillCommands: false } } });
  expect(without.at(-1)?.name).toBe("look");
});

test.each([
  ["/quit", ["quit"]],
  ["/deploy to the moon", ["deploy ran with “to the moon”"]],
  ["/look dist", ["sent: find TODOs in dist"]],
  [
    "/nothing of the kind",
    ["editor: /nothing of the kind", "There is no command /nothing; /help lists those there are."],
  ],
  ["/usr/bin/env is missing", "a prompt"],
  ["hello /quit", "a prompt"],
])("the line %j does %j", async (line, expected) => {
  expect(await run(line)).toEqual(expected);
});
