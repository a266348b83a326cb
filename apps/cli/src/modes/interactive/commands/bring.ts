import type { BringRequest, BringResult } from "@coppice/coding-agent";
import { inertLine } from "../../../render/terminal-text.ts";
import { FIRST_LOOK } from "../tree/tree-view.ts";
import type { CommandHost, SlashCommand } from "./command.ts";
import { wishedFor } from "./tree.ts";

const MAX_PATH_CHARACTERS = 200;

export const bringCommand: SlashCommand = {
  name: "bring",
  argument: "[entry …]",
  help: "bring entries of another branch here, chosen in the tree or by their ids, or a summary of that branch",
  async run(host, argument) {
    const ids = argument.split(/[\s,]+/).filter((word) => word !== "");
    const request = ids.length > 1 || isSpan(ids[0]) ? { entryIds: ids } : await chosen(host, ids[0]);
    if (request === undefined) return;
    const result = await host.working("Bringing", host.agent.bringEntries(request));
    await host.reload();
    host.notice(
      broughtText(result),
      result.files.every(({ state }) => state === "same") ? "info" : "warning",
    );
  },
};

/** One entry may also stand for the branch that ends there. */
async function chosen(host: CommandHost, typedId: string | undefined): Promise<BringRequest | undefined> {
  const id = typedId ?? (await wishedFor(host, FIRST_LOOK, "Bring here"))?.entryId;
  if (id === undefined) return undefined;
  const how = await host.pick({
    title: ["The other branch stays as it is"],
    choices: [
      { value: "entry", label: "Bring this entry, word for word" },
      { value: "branch", label: "Bring a summary of the branch that ends there" },
    ],
  });
  if (how === undefined) return undefined;
  return how === "entry" ? { entryIds: [id] } : { branchOf: id };
}

function isSpan(handle: string | undefined): boolean {
  return handle?.includes("..") === true;
}

/** What came, and whether the files it speaks of are still as it says. */
function broughtText({ alreadyHere, files }: BringResult): string {
  const what = alreadyHere ? "It is here already." : "It is part of this branch now.";
  const rows = files.map(({ path, state }) => `  ${inertLine(path, MAX_PATH_CHARACTERS)}: ${state}`);
  return [what, ...(rows.length === 0 ? [] : ["Files changed there, and how they stand now:", ...rows])].join(
    "\n",
  );
}
