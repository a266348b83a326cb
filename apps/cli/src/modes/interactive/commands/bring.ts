import type { BringResult } from "@coppice/coding-agent";
import { inertLine } from "../../../render/terminal-text.ts";
import { FIRST_LOOK } from "../tree/tree-view.ts";
import type { SlashCommand } from "./command.ts";
import { wishedFor } from "./tree.ts";

const MAX_PATH_CHARACTERS = 200;

export const bringCommand: SlashCommand = {
  name: "bring",
  help: "bring an entry of another branch here, or a summary of that branch",
  async run(host) {
    const wish = await wishedFor(host, FIRST_LOOK, "Bring here");
    if (wish === undefined) return;
    const how = await host.pick({
      title: ["The other branch stays as it is"],
      choices: [
        { value: "entry", label: "Bring this entry, word for word" },
        { value: "branch", label: "Bring a summary of the branch that ends there" },
      ],
    });
    if (how === undefined) return;
    const request = how === "entry" ? { entryIds: [wish.entryId] } : { branchOf: wish.entryId };
    const result = await host.working("Bringing", host.agent.bringEntries(request));
    await host.reload();
    host.notice(broughtText(result));
  },
};

/** What came, and whether the files it speaks of are still as it says. */
function broughtText({ alreadyHere, files }: BringResult): string {
  const what = alreadyHere ? "It is here already." : "It is part of this branch now.";
  const rows = files.map(({ path, state }) => `  ${inertLine(path, MAX_PATH_CHARACTERS)}: ${state}`);
  return [what, ...(rows.length === 0 ? [] : ["Files that the other branch changed:", ...rows])].join("\n");
}
