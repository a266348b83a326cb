import { storeKey } from "../store-key.ts";
import type { SlashCommand } from "./command.ts";

export const loginCommand: SlashCommand = {
  name: "login",
  help: "store the key of a provider, or log in with one",
  argument: "[provider]",
  async run(host, named) {
    const provider = await storeKey({
      ...{ layout: host, authFile: host.places.authFile },
      logins: host.known.logins,
      ...(named === "" ? {} : { named }),
    });
    if (provider === undefined) return;
    await host.reopen();
    host.notice(`What ${provider} asks for is stored. /model chooses one of its models.`);
  },
};
