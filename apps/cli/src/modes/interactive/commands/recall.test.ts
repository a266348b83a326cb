import { createScenario } from "@coppice/coding-agent/testing";
import type { Component } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import type { CommandHost } from "./command.ts";
import { recallCommand } from "./recall.ts";

async function shown(argument: string, typed?: string): Promise<string> {
  const { agent } = await createScenario({ answers: ["the host is heron"] });
  await agent.prompt("which host?");
  const argumentOf = argument.replace("ID", agent.session.getLeafId() ?? "");
  let lines: readonly string[] = [];
  const host = {
    agent,
    paint: (_: string, text: string) => text,
    input: async () => typed,
    open: async (make: (onDone: () => void) => Component) => {
      lines = make(() => {}).render(100);
    },
  };
  await recallCommand.run(host as unknown as CommandHost, argumentOf);
  return lines.join("\n");
}

test("/recall shows originals by entry and by words, and asks where nothing is typed", async () => {
  for (const [argument, typed] of [["ID"], ["heron"], ["", "heron"]] as const) {
    expect(await shown(argument, typed)).toContain("the host is heron");
  }
  expect(await shown("heron")).toMatch(/1 original /);
  expect(await shown("")).toBe("");
});

test("/recall of what is nowhere says so", async () => {
  await expect(shown("zebra")).rejects.toMatchObject({ code: "nothing_recalled" });
});
