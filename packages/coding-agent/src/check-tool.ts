import type { AnyAgentTool } from "@coppice/agent";
import { CodingAgentError } from "./errors.ts";

/** What every provider takes as the name of a tool. */
export function isToolName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** Throws `invalid_registration` for a tool that would break requests: from code that no type checker has seen. */
export function checkTool(tool: AnyAgentTool): void {
  const { name, description, parameters, execute } = tool as Partial<AnyAgentTool>;
  const problem =
    typeof name !== "string" || name.trim() === ""
      ? "it has no name"
      : typeof description !== "string"
        ? "it has no description"
        : typeof parameters !== "object" || parameters === null
          ? "it has no schema for its parameters"
          : typeof execute !== "function"
            ? "it has no `execute`"
            : undefined;
  if (problem === undefined) return;
  throw new CodingAgentError({
    code: "invalid_registration",
    message: `The tool "${name ?? ""}" cannot be registered: ${problem}.`,
  });
}
