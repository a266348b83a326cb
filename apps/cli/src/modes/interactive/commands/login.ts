import { storeKey } from "../store-key.ts";
import type { SlashCommand } from "./command.ts";

export const loginCommand: SlashCommand = {
  name: "login",
  help: "store the key of a provider",
  async run(host) {
    const provider = await storeKey({ layout: host, authFile: host.places.authFile });
    if (provider === undefined) return;
    await host.reopen();
    host.notice(`The key of ${provider} is stored. /model chooses one of its models.`);
  },
};
