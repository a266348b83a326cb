import { recallRequestOf } from "@coppice/coding-agent";
import { TextPages } from "../views/text-pages.ts";
import type { SlashCommand } from "./command.ts";

export const recallCommand: SlashCommand = {
  name: "recall",
  argument: "<entry or words>",
  help: "what was said, word for word, also before compactions and in other branches: by entry, by first..last, or by words",
  async run(host, argument) {
    const typed =
      argument === "" ? await host.input({ title: ["An entry, first..last, or words"] }) : argument;
    if (typed === undefined || typed.trim() === "") return;
    const { agent } = host;
    const { text, entryIds } = await agent.recall(await recallRequestOf(agent.session, typed));
    const title = entryIds.length === 1 ? "1 original" : `${entryIds.length} originals`;
    await host.open<undefined>((onDone) => new TextPages({ title, text, paint: host.paint, onDone }));
  },
};
