import type { SlashCommand } from "./command.ts";

export const skillsCommand: SlashCommand = {
  name: "skills",
  help: "the skills there are; one that is chosen is written into the editor",
  async run(host) {
    const { skills } = host.setup;
    if (skills.length === 0) {
      return host.notice(
        `There are no skills. They lie in ${host.places.userDirectory}/skills or in .coppice/skills.`,
      );
    }
    const name = await host.pick({
      title: ["Skills"],
      choices: skills.map((skill) => ({
        value: skill.name,
        label: skill.name,
        description: skill.description,
      })),
    });
    if (name !== undefined) host.prependToEditor(`/skill:${name} `);
  },
};
