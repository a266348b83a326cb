import { join } from "node:path";
import { builtinProviders, createClient } from "@coppice/ai";
import { createCodingAgent, createRecallTool } from "@coppice/coding-agent";
import { isEntry, JsonlRepo } from "@coppice/session";
import {
  EVAL_API,
  EVAL_OUTPUT_TOKENS,
  EVAL_WINDOW_TOKENS,
  type Subject,
  type SubjectKind,
} from "./subject.ts";

/** Coppice itself, as a library in this process, with its default settings. */
export const coppiceSubject: SubjectKind = {
  name: "coppice",
  async start({ server, project, scratch }): Promise<Subject> {
    const repo = new JsonlRepo({ directory: join(scratch, "sessions") });
    const session = await repo.create({ cwd: project });
    const { stream } = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });
    const agent = await createCodingAgent({
      cwd: project,
      model: server.model(EVAL_API, { contextWindow: EVAL_WINDOW_TOKENS, maxTokens: EVAL_OUTPUT_TOKENS }),
      streamFunction: stream,
      session,
      repo,
    });
    const recall = createRecallTool({ session });
    return {
      async say({ prompt }) {
        await agent.prompt(prompt);
      },
      async compactions() {
        return (await session.getEntries()).filter((entry) => isEntry(entry, "compaction")).length;
      },
      recall: (query) => recalled(recall, query),
      [Symbol.asyncDispose]: () => agent.dispose(),
    };
  },
};

/** What the model would read; the tool throws where it finds nothing. */
async function recalled(tool: ReturnType<typeof createRecallTool>, query: string): Promise<string> {
  const call = { toolCallId: "eval", toolName: tool.name, now: Date.now };
  try {
    const { content } = await tool.execute(
      call.toolCallId,
      { query },
      new AbortController().signal,
      () => {},
      call,
    );
    return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
