import type { SlashCommand } from "./command.ts";

export const toolsCommand: SlashCommand = {
  name: "tools",
  help: "which tools the model may use; choosing one turns it on or off",
  async run(host) {
    for (let chosen: string | undefined; ; ) {
      const { all, active } = host.agent.tools;
      const isOn = (name: string) => active.includes(name);
      chosen = await host.pick({
        title: [`${active.length} of ${all.length} tools are on; a change counts from the next request.`],
        choices: all.map((name) => ({ value: name, label: `${isOn(name) ? "●" : "○"} ${name}` })),
        ...(chosen === undefined ? {} : { selected: chosen }),
      });
      if (chosen === undefined) return;
      const name = chosen;
      await host.agent.setActiveTools(all.filter((one) => isOn(one) !== (one === name)));
    }
  },
};
