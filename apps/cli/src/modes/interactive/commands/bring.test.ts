import type { BringRequest } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { bringCommand } from "./bring.ts";
import type { CommandHost } from "./command.ts";

/** What the command asks the agent for, and what it tells the person. */
async function run(argument: string, choice?: string) {
  const requests: BringRequest[] = [];
  const notices: string[] = [];
  const bringEntries = async (request: BringRequest) => {
    requests.push(request);
    return {
      ...{ entryId: "e", alreadyHere: false },
      files: [{ path: "src/\u001b[31ma.ts", state: "changed" }],
    };
  };
  const host = {
    agent: { bringEntries },
    pick: async () => choice,
    working: (_: string, work: Promise<unknown>) => work,
    reload: async () => {},
    notice: (text: string, level: string) => notices.push(`${level}: ${text}`),
  };
  await bringCommand.run(host as unknown as CommandHost, argument);
  return { requests, notices };
}

test.each([
  {
    name: "several ids",
    argument: "a1 b2,\n c3",
    choice: undefined,
    request: { entryIds: ["a1", "b2", "c3"] },
  },
  { name: "a span", argument: "a1..c3", choice: undefined, request: { entryIds: ["a1..c3"] } },
  { name: "one id, word for word", argument: "a1", choice: "entry", request: { entryIds: ["a1"] } },
  { name: "one id, its branch", argument: "a1", choice: "branch", request: { branchOf: "a1" } },
])("/bring takes $name", async ({ argument, choice, request }) => {
  const { requests, notices } = await run(argument, choice);
  expect(requests).toEqual([request]);
  expect(notices.join("")).toMatch(/^warning: [\s\S]*a\.ts: changed/);
  expect(notices.join("")).not.toContain("\u001b");
});

test("/bring left at the question does nothing", async () => {
  expect(await run("a1")).toEqual({ requests: [], notices: [] });
});
