import { tableLines } from "../../../render/table.ts";
import { tokensText } from "../../../render/units.ts";
import type { SlashCommand } from "./command.ts";

export const sessionCommand: SlashCommand = {
  name: "session",
  help: "file, size and cost of the session",
  async run(host) {
    const { session } = host.agent;
    const [stats, context, name] = await Promise.all([
      host.agent.getStats(),
      host.agent.getContextUsage(),
      session.getName(),
    ]);
    const { usage } = stats;
    const rows = [
      ["name", name ?? "(none)"],
      ["id", session.id],
      ["file", session.path ?? "(in memory)"],
      [
        "messages",
        `${stats.userMessages} of yours, ${stats.assistantMessages} answers, ${stats.toolCalls} tool calls`,
      ],
      ["compactions", String(stats.compactions)],
      [
        "tokens",
        `${tokensText(usage.input)} in, ${tokensText(usage.output)} out, ${tokensText(usage.cacheRead)} from cache`,
      ],
      ["cost", `$${usage.cost.total.toFixed(3)}`],
      [
        "context",
        `${tokensText(context.tokens)} of ${tokensText(context.contextWindow)}, compacts at ${tokensText(context.triggerTokens)}`,
      ],
    ];
    host.notice(tableLines(rows).join("\n"));
  },
};
