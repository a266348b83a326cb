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
        const { sizeBytes, modifiedAtMs } = await api.environment.files.stat(resolve(api.cwd, path));
        const changedAt = new Date(modifiedAtMs).toISOString();
        return { content: [{ type: "text", text: `${path}: ${sizeBytes} bytes, changed ${changedAt}` }] };
      },
    };
    api.registerTool(tool);
  },
};

export default fileFacts;
