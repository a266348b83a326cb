import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@coppice/ai";
import type { Extension } from "@coppice/coding-agent";

/** `/save-note [title]`: appends the last answer to NOTES.md. */
const saveNote: Extension = {
  name: "save-note",
  setup(api) {
    api.registerCommand("save-note", {
      description: "Appends the last answer to NOTES.md.",
      argumentHint: "[title]",
      async handler(title, agent) {
        const { messages } = await agent.session.buildContext();
        const answer = messages.findLast(({ role }) => role === "assistant");
        if (answer?.role !== "assistant") return "There is no answer yet.";
        const heading = title === "" ? "Note" : title;
        await appendFile(join(api.cwd, "NOTES.md"), `## ${heading}\n\n${textOf(answer.content)}\n\n`);
        return `Saved as "${heading}".`;
      },
    });
  },
};

export default saveNote;
