import { FIRST_LOOK } from "../tree/tree-view.ts";
import type { SlashCommand } from "./command.ts";
import { forkAt } from "./fork-at.ts";
import { wishedFor } from "./tree.ts";

export const forkCommand: SlashCommand = {
  name: "fork",
  help: "go on in a copy of the session, up to an entry; the session stays as it is",
  async run(host) {
    const wish = await wishedFor(
      host,
      FIRST_LOOK,
      "Copy the way to (a message of yours comes back for editing)",
    );
    if (wish !== undefined) await forkAt(host, wish.entryId);
  },
};
