import type { SlashCommand } from "./command.ts";
import { treeChoices } from "./tree-choices.ts";

const MOVE = "move";
const MOVE_WITH_SUMMARY = "summary";

export const treeCommand: SlashCommand = {
  name: "tree",
  help: "go back to an earlier point; nothing is lost",
  async run(host) {
    const { agent } = host;
    const leafId = agent.session.getLeafId();
    const choices = treeChoices(await agent.session.getTree(), leafId);
    if (choices.length === 0) return host.notice("The session is empty.");
    const entryId = await host.pick({
      title: ["Go to (a message of yours comes back for editing)"],
      choices,
      ...(leafId === null ? {} : { selected: leafId }),
    });
    if (entryId === undefined || entryId === leafId) return;
    const how = await host.pick({
      title: ["The part that is left stays in the session"],
      choices: [
        { value: MOVE, label: "Move there" },
        {
          value: MOVE_WITH_SUMMARY,
          label: "Move there, and tell the model what happened in the part that is left",
        },
      ],
    });
    if (how === undefined) return;
    const { editorText } = await agent.navigate(entryId, { summarize: how === MOVE_WITH_SUMMARY });
    await host.reload();
    if (editorText !== undefined) host.setEditorText(editorText);
  },
};
