import { resolve } from "node:path";
import { JsonlRepo } from "@coppice/session";
import type { SlashCommand } from "./command.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: "[file]",
  help: "write the session to a file of its own",
  async run(host, argument) {
    const { id, path, cwd } = host.agent.session;
    if (path === undefined || host.agent.session.getLeafId() === null) {
      return host.notice("There is no file of this session to copy.");
    }
    const target = resolve(cwd, argument === "" ? `${id}.jsonl` : argument);
    await new JsonlRepo({ directory: host.places.sessionsDirectory }).export(path, target);
    host.notice(`Written to ${target}`);
  },
};
