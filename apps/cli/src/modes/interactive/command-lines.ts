import { type Environment, expandCommand } from "@coppice/coding-agent";
import type { CommandHost } from "./commands/command.ts";
import { parseCommand, SLASH_COMMANDS } from "./commands/registry.ts";

/** A name that `/` completes. */
export interface CommandName {
  readonly name: string;
  readonly help: string;
  readonly argument?: string | undefined;
}

/** Every name that can be typed behind a slash: those of the program, of extensions, of templates and of skills. */
export function commandNames({ agent, setup }: Pick<CommandHost, "agent" | "setup">): readonly CommandName[] {
  const skills = setup.settings.enableSkillCommands === false ? [] : setup.skills;
  const all: readonly CommandName[] = [
    ...SLASH_COMMANDS,
    ...agent.commands.map(({ name, description, argumentHint }) => ({
      name,
      help: description,
      argument: argumentHint,
    })),
    ...setup.templates.map(({ name, description, argumentHint }) => ({
      name,
      help: description,
      argument: argumentHint,
    })),
    ...skills.map(({ name, description }) => ({ name: `skill:${name}`, help: description })),
  ];
  // The first of a name is the one that runs.
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

export interface CommandLinesOptions {
  readonly host: CommandHost;
  readonly files: Environment["files"];
  /** Sends a prompt. */
  readonly send: (text: string) => void;
  readonly fail: (error: unknown) => void;
  /** A command is over: what the footer says may be another thing. */
  readonly onDone: () => void;
}

/** Lines that begin with a slash. */
export class CommandLines {
  readonly #options: CommandLinesOptions;

  constructor(options: CommandLinesOptions) {
    this.#options = options;
  }

  /** Runs a line; false when it is no command but a prompt. */
  run(text: string): boolean {
    const command = parseCommand(text);
    if (command === undefined) return false;
    const { fail, onDone } = this.#options;
    void this.#run(text, command).catch(fail).finally(onDone);
    return true;
  }

  async #run(
    text: string,
    { name, argument }: { readonly name: string; readonly argument: string },
  ): Promise<void> {
    const { host, send, files } = this.#options;
    const own = SLASH_COMMANDS.find((candidate) => candidate.name === name);
    if (own !== undefined) return own.run(host, argument);
    if (host.agent.commands.some((candidate) => candidate.name === name)) {
      const answer = await host.agent.runCommand(name, argument);
      return answer === undefined ? undefined : host.notice(answer);
    }
    const { skills, templates, settings } = host.setup;
    const callable = settings.enableSkillCommands === false ? [] : skills;
    const prompt = await expandCommand(text.trim(), { files, skills: callable, templates });
    if (prompt !== undefined) return send(prompt);
    host.prependToEditor(text);
    host.notice(`There is no command /${name}; /help lists those there are.`, "error");
  }
}
