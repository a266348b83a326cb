import type { AnyAgentTool } from "@coppice/agent";
import type { TSchema } from "typebox";
import { messageOf } from "../errors.ts";
import { clipLine } from "../text/truncate.ts";
import type { McpTool } from "./connection.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpToolName } from "./tool-name.ts";
import { mcpToolResult } from "./tool-result.ts";

/** A description is sent with every request. */
const MOST_DESCRIPTION_CHARS = 4000;
const MOST_SCHEMA_CHARS = 65_536;

export interface McpToolSetOptions {
  readonly server: McpServer;
  /** Returns what takes the tool out again. */
  readonly register: (tool: AnyAgentTool) => () => void;
  /** Told of a tool that cannot be offered. */
  readonly onTrouble: (message: string) => void;
}

interface Offered {
  /** Of what the server said of it. */
  readonly fingerprint: string;
  readonly remove: () => void;
}

/** The tools of one server as the agent has them, kept in step with what the server says. */
export class McpToolSet {
  readonly #options: McpToolSetOptions;
  readonly #offered = new Map<string, Offered>();

  constructor(options: McpToolSetOptions) {
    this.#options = options;
  }

  /** Takes over a list: what is the same stays as it is, so that the model's view changes only where the server's did. */
  update(tools: readonly McpTool[]): void {
    const { server, register, onTrouble } = this.#options;
    const wanted = new Map(tools.map((tool) => [mcpToolName(server.name, tool.name), tool]));
    for (const [name, { remove }] of [...this.#offered]) {
      const tool = wanted.get(name);
      if (tool !== undefined && fingerprintOf(tool) === this.#offered.get(name)?.fingerprint) continue;
      remove();
      this.#offered.delete(name);
    }
    for (const [name, tool] of wanted) {
      if (this.#offered.has(name)) continue;
      const problem = problemOf(tool);
      if (problem !== undefined) {
        onTrouble(`The tool ${tool.name} of the server ${server.name} is left out: ${problem}.`);
        continue;
      }
      const remove = register(agentTool(server, name, tool));
      this.#offered.set(name, { fingerprint: fingerprintOf(tool), remove });
    }
  }
}

function agentTool(server: McpServer, name: string, tool: McpTool): AnyAgentTool {
  return {
    name,
    label: `${server.name}: ${tool.title ?? tool.name}`,
    description: clipLine(tool.description ?? tool.title ?? tool.name, MOST_DESCRIPTION_CHARS),
    parameters: tool.inputSchema as TSchema,
    execute: async (_id, input: Readonly<Record<string, unknown>>, signal, onUpdate) => {
      try {
        const onProgress = (message: string) =>
          onUpdate({ content: [{ type: "text", text: clipLine(message, 1000) }] });
        return mcpToolResult(await server.call({ tool: tool.name, input, signal, onProgress }));
      } catch (error) {
        signal.throwIfAborted();
        throw new Error(`${tool.name} on the server ${server.name}: ${clipLine(messageOf(error), 2000)}`);
      }
    },
  };
}

function problemOf({ inputSchema }: McpTool): string | undefined {
  if (typeof inputSchema !== "object" || inputSchema === null || inputSchema.type !== "object") {
    return "its parameters are no object";
  }
  const length = JSON.stringify(inputSchema).length;
  return length > MOST_SCHEMA_CHARS ? `its schema has ${length} characters` : undefined;
}

function fingerprintOf({ name, title, description, inputSchema }: McpTool): string {
  return JSON.stringify([name, title, description, inputSchema]);
}
