import { resolve } from "node:path";
import { JsonlRepo } from "@coppice/session";
import type { SlashCommand } from "./command.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: "[file]",
  help: "write the session to a file of its own, or with .html as a page",
  async run(host, argument) {
    const { id, path, cwd } = host.agent.session;
    if (argument.endsWith(".html") && host.agent.session.getLeafId() !== null) {
      // The page itself is text of a hundred kilobytes that the first frame needs not.
      const { exportToFile, redactionNotice } = await import("../../../export/export-to-file.ts");
      const { session } = host.agent;
      const exportedAt = new Date().toISOString();
      const page = await exportToFile({ session, cwd, file: argument, exportedAt });
      return host.notice(`Written to ${page.path}\n${redactionNotice(page.redactedSecrets)}`);
    }
    if (path === undefined || host.agent.session.getLeafId() === null) {
      return host.notice("There is no file of this session to copy.");
    }
    const target = resolve(cwd, argument === "" ? `${id}.jsonl` : argument);
    await new JsonlRepo({ directory: host.places.sessionsDirectory }).export(path, target);
    host.notice(`Written to ${target}`);
  },
};
