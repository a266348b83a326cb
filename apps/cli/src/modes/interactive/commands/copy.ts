import { textOf } from "@coppice/ai";
import type { SlashCommand } from "./command.ts";

export const copyCommand: SlashCommand = {
  name: "copy",
  help: "the last answer to the clipboard",
  async run(host) {
    const { messages } = await host.agent.getContext();
    const text = messages
      .toReversed()
      .map((message) => (message.role === "assistant" ? textOf(message.content).trim() : ""))
      .find((answer) => answer !== "");
    if (text === undefined) return host.notice("There is no answer to copy.");
    host.copy(text);
    // Nothing tells whether the terminal took it (fault kind UI-20).
    host.notice(
      `${text.length} characters handed to the terminal's clipboard; not every terminal takes them.`,
    );
  },
};
