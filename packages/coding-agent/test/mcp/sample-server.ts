import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** A dot of 1x1 pixels. */
export const DOT_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** A server with a tool for every case of the tests; `log` is a file for what the client cannot see. */
export function createSampleServer(log: string | undefined): McpServer {
  const note = (line: string) => void (log !== undefined && appendFileSync(log, `${line}\n`));
  const server = new McpServer({ name: "sample", version: "1.0.0" }, { capabilities: { logging: {} } });
  const words = z.object({ text: z.string() });
  server.registerTool("echo", { description: "Says it again.", inputSchema: words }, async (input) =>
    text(input.text),
  );
  server.registerTool("fails", { description: "Fails." }, async () => ({
    ...text("no luck"),
    isError: true,
  }));
  server.registerTool("throws", { description: "Throws." }, async () => {
    throw new Error("broken inside");
  });
  server.registerTool("env", { description: "Its variables." }, async () =>
    text(JSON.stringify(Object.keys(process.env).sort())),
  );
  server.registerTool("picture", { description: "A dot." }, async () => ({
    content: [
      { type: "text", text: "a dot:" },
      { type: "image", data: DOT_PNG, mimeType: "image/png" },
    ],
  }));
  server.registerTool(
    "big",
    { description: "Much.", inputSchema: z.object({ bytes: z.number() }) },
    async ({ bytes }) => text("x".repeat(bytes)),
  );
  server.registerTool("slow", { description: "Waits until it is cancelled." }, async (context) => {
    note("slow started");
    await new Promise<void>((done) => {
      context.mcpReq.signal.addEventListener("abort", () => done(), { once: true });
    });
    note("slow cancelled");
    return text("cancelled");
  });
  server.registerTool("crash", { description: "Ends the process." }, async () => process.exit(7));
  server.registerTool("forks", { description: "Starts a process of its own." }, async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    return text(String(child.pid));
  });
  server.registerTool("grow", { description: "Adds a tool and takes one away." }, async () => {
    server.registerTool("grown", { description: "New." }, async () => text("grown"));
    shrinking.remove();
    return text("ok");
  });
  const shrinking = server.registerTool("shrinking", { description: "Goes." }, async () => text("here"));
  server.registerTool(
    "refs",
    {
      description: "A schema with definitions.",
      inputSchema: fromJsonSchema<{ point: { x: number } }>({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { point: { $ref: "#/$defs/point" } },
        required: ["point"],
        $defs: { point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
      }),
    },
    async ({ point }) => text(String(point.x)),
  );
  for (const name of ["read-file", "read_file", "read.file"]) {
    server.registerTool(name, { description: name }, async () => text(name));
  }
  return server;
}
