import type { BashExecutionMessage } from "@coppice/agent";

/** The first line of a command that the user ran: what was typed, how it ended where that says something, and who sees it. */
export function shellLine(message: BashExecutionMessage): string {
  const { command, exitCode, cancelled, truncated, excludeFromContext } = message;
  const facts = [
    ...(cancelled ? ["stopped"] : []),
    ...(!cancelled && exitCode !== undefined && exitCode !== 0 ? [`exit ${exitCode}`] : []),
    ...(truncated ? ["output cut"] : []),
    ...(excludeFromContext === true ? ["not shown to the model"] : []),
  ];
  return facts.length === 0 ? `$ ${command}` : `$ ${command}  (${facts.join(", ")})`;
}
