import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AgentTool } from "@coppice/agent";
import type { Extension } from "@coppice/coding-agent";
import { Type } from "typebox";

const parameters = Type.Object({ path: Type.String({ description: "File to look at" }) });

/** A tool: how large a file is and when it was changed. */
const fileFacts: Extension = {
  name: "file-facts",
  setup(api) {
    const tool: AgentTool<typeof parameters> = {
      name: "file_facts",
      description: "Say how large a file is and when it was last changed.",
      parameters,
      // What is thrown becomes an error result that the model reads.
      async execute(_toolCallId, { path }) {
        const { size, mtime } = await stat(resolve(api.cwd, path));
        return {
          content: [{ type: "text", text: `${path}: ${size} bytes, changed ${mtime.toISOString()}` }],
        };
      },
    };
    api.registerTool(tool);
  },
};

export default fileFacts;
