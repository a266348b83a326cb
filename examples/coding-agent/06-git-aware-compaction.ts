import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { createBuiltinTools, createCodingAgent } from "@coppice/coding-agent";
import { createMemoryEnvironment } from "@coppice/coding-agent/testing";
import { gitAware } from "../extensions/compaction/git-aware/git-aware.ts";

const cwd = "/wood";
const environment = createMemoryEnvironment({
  shell: {
    run: async (_command, { onOutput }) => {
      await onOutput(new TextEncoder().encode("[main 1a2b3c4] Plant an oak\n"));
      return { exitCode: 0, signal: undefined, reason: "exited" };
    },
  },
});
const longAnswer = (text: string) => `${text} ${"So it grows. ".repeat(600)}`;
const agent = await createCodingAgent({
  ...{ cwd, environment, model: scriptedModel({ contextWindow: 100_000 }) },
  tools: createBuiltinTools({ cwd, environment }),
  extensions: [gitAware],
  streamFunction: scriptedStream([
    longAnswer("An oak."),
    scriptedToolCall("bash", { command: "git commit -am 'Plant an oak'" }),
    ...Array.from({ length: 8 }, (_, index) => longAnswer(`Answer ${index}.`)),
  ]),
});
for (let turn = 0; turn < 9; turn++) await agent.prompt(`Question ${turn}?`);

const { tokensBefore, tokensAfter = 0 } = await agent.compact();
console.log(`smaller: ${tokensAfter < tokensBefore / 2}`);
for (const message of (await agent.getContext()).messages) {
  const text = "content" in message ? JSON.stringify(message.content) : "";
  const [what = ""] = /git commit[^"]*|\[main[^\\"]*|Question \d|Answer \d/.exec(text) ?? [];
  console.log(`${message.role}: ${message.role === "compactionSummary" ? gitLines(message.summary) : what}`);
}
await agent.dispose();

function gitLines(summary: string): string {
  return summary.slice(summary.indexOf("## Git Operations")).split("\n").slice(0, 2).join(" ");
}
