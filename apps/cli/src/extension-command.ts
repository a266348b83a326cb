import type { AgentHarness } from "@coppice/coding-agent";

/**
 * Runs the command of an extension that a text calls (`/name …`) and gives what it says to the user, "" for nothing;
 * undefined = the text calls none and is a prompt.
 */
export async function callExtensionCommand(
  agent: Pick<AgentHarness, "commands" | "runCommand">,
  text: string,
): Promise<string | undefined> {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const name = match?.[1];
  if (name === undefined || !agent.commands.some((command) => command.name === name)) return undefined;
  return (await agent.runCommand(name, match?.[2] ?? "")) ?? "";
}
