import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { FileLedger } from "../file-ledger.ts";
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, type ToolOptions } from "../tool-options.ts";
import { BASH_DESCRIPTION } from "./description.ts";

const parameters = Type.Object({
  command: Type.String({ description: "Command line" }),
  timeout: Type.Optional(
    Type.Number({ description: "Seconds after which the command is ended", exclusiveMinimum: 0 }),
  ),
});

export interface BashDetails {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
}

/** Runs shell commands. */
export function createBashTool(options: ToolOptions): AgentTool<typeof parameters, BashDetails> {
  const { cwd, environment } = options;
  const ledger = options.ledger ?? new FileLedger(environment.files);
  return {
    name: "bash",
    label: "Bash",
    description: BASH_DESCRIPTION,
    parameters,
    async execute(_toolCallId, params: Static<typeof parameters>, signal, _onUpdate, context) {
      // A command may need the files that earlier calls of the same batch write.
      await ledger.queue.settled();
      const chunks: Uint8Array[] = [];
      const startedAt = context.now();
      const exit = await environment.shell.run(params.command, {
        cwd,
        signal,
        ...(params.timeout === undefined ? {} : { timeoutMs: params.timeout * 1000 }),
        onOutput: (chunk) => chunks.push(chunk),
      });
      const output = tail(Buffer.concat(chunks).toString("utf8"));
      const notice = noticeOf(exit, params.timeout);
      return {
        content: [{ type: "text", text: (output || "(no output)") + (notice === "" ? "" : `\n\n${notice}`) }],
        details: {
          ...(exit.exitCode === undefined ? {} : { exitCode: exit.exitCode }),
          ...(exit.signal === undefined ? {} : { signal: exit.signal }),
          durationMs: context.now() - startedAt,
        },
        isError: notice !== "",
      };
    },
  };
}

function tail(output: string): string {
  return output.split("\n").slice(-MAX_OUTPUT_LINES).join("\n").slice(-MAX_OUTPUT_BYTES);
}

function noticeOf(
  exit: {
    readonly exitCode: number | undefined;
    readonly signal: string | undefined;
    readonly reason: string;
  },
  timeoutSeconds: number | undefined,
): string {
  if (exit.reason === "aborted") return "Command aborted.";
  if (exit.reason === "timeout") return `Command timed out after ${timeoutSeconds} seconds.`;
  if (exit.signal !== undefined) return `Command ended by ${exit.signal}.`;
  return exit.exitCode === 0 ? "" : `Command exited with code ${exit.exitCode}.`;
}
