import { sessionChoices } from "../session-choices.ts";
import type { SlashCommand } from "./command.ts";

export const resumeCommand: SlashCommand = {
  name: "resume",
  argument: "[id]",
  help: "go on in another session of this directory",
  async run(host, argument) {
    const ref = argument === "" ? await picked(host) : argument;
    if (ref !== undefined) await host.goOnIn({ kind: "stored", ref });
  },
};

async function picked(host: Parameters<SlashCommand["run"]>[0]): Promise<string | undefined> {
  const { session } = host.agent;
  const all = await sessionChoices(host, { cwd: session.cwd, nowMs: Date.now() });
  const choices = all.filter(({ value }) => value !== session.path);
  if (choices.length > 0) return host.pick({ title: ["Go on with"], choices });
  host.notice("There is no other session of this directory.");
  return undefined;
}
