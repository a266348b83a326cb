import type { ConfigFiles } from "../config/config-files.ts";
import { editJsonc } from "../config/edit-jsonc.ts";
import { CodingAgentError, messageOf } from "../errors.ts";
import { type McpServerConfig, mcpServerProblem } from "./server-config.ts";

export interface SaveMcpServer {
  /** Of the `mcp.json`. */
  readonly path: string;
  readonly name: string;
  /** Undefined takes the server out. */
  readonly config: McpServerConfig | undefined;
  /** Whether only the user may read the file from then on. */
  readonly isPrivate: boolean;
}

/**
 * Puts one server into an `mcp.json`, or takes it out; everything else in it stays as it is.
 *
 * Throws `invalid_setting` for a server that could not be used or a file that is no JSON, and the errors of `ConfigFiles`.
 */
export async function saveMcpServer(
  files: Pick<ConfigFiles, "update">,
  { path, name, config, isPrivate }: SaveMcpServer,
): Promise<void> {
  const problem = config === undefined ? undefined : await mcpServerProblem(config);
  if (problem !== undefined) {
    throw new CodingAgentError({
      code: "invalid_setting",
      message: `The server "${name}" cannot be saved: ${problem}.`,
    });
  }
  const change = async (text = "") => {
    try {
      return await editJsonc(text, { path: ["mcpServers", name], value: config });
    } catch (error) {
      throw new CodingAgentError({
        code: "invalid_setting",
        message: `${path} is no JSON and was not changed: ${messageOf(error)}.`,
        cause: error,
      });
    }
  };
  await files.update(path, change, isPrivate ? { isPrivate } : {});
}
