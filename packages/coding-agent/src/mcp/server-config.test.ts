import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createLocalConfigFiles } from "../config/local-config-files.ts";
import { expandVariables } from "./expand-variables.ts";
import { loadMcpServers } from "./mcp-extension.ts";
import { saveMcpServer } from "./save-server.ts";
import { parseMcpConfig } from "./server-config.ts";

const braced = (name: string) => ["$", name, ""].join("|").replace("|", "{").replace("|", "}");

test("servers are read with comments, in order, and each that cannot be used is named without its values", async () => {
  const { servers, diagnostics } = await parseMcpConfig(
    `{
      // mine
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "x"], "env": { "A": "b" }, "required": true },
        "web": { "type": "http", "url": "https://example.org/mcp", "headers": { "Authorization": "Bearer $TOKEN" } },
        "both": { "command": "x", "url": "https://example.org" },
        "neither": {},
        "text": "x",
        "args": { "command": "x", "args": "secret" },
        "scheme": { "url": "file:///etc/passwd" },
        "old": { "type": "sse", "url": "https://example.org/sse" },
      },
    }`,
    "mcp.json",
  );
  expect([...servers]).toEqual([
    ["files", { command: "npx", args: ["-y", "x"], env: { A: "b" }, required: true }],
    ["web", { type: "http", url: "https://example.org/mcp", headers: { Authorization: "Bearer $TOKEN" } }],
  ]);
  expect(diagnostics).toEqual([
    'mcp.json: the server "both" is left out: it needs either a `command` or a `url`.',
    'mcp.json: the server "neither" is left out: it needs either a `command` or a `url`.',
    'mcp.json: the server "text" is left out: it is no object.',
    'mcp.json: the server "args" is left out: args must be array.',
    expect.stringMatching(/^mcp.json: the server "scheme" is left out: url must match pattern/),
    'mcp.json: the server "old" is left out: SSE was replaced by streamable HTTP and is not spoken here.',
  ]);
});

test.each(["[]", '{"mcpServers": 7}', "{ broken", "null"])(
  "a file that says %s is named, and has no servers",
  async (text) => {
    const { servers, diagnostics } = await parseMcpConfig(text, "mcp.json");
    expect([servers.size, diagnostics.length]).toEqual([0, text === "[]" ? 0 : 1]);
  },
);

test("of two files the first has the say about a name, and one that cannot be read costs the others nothing", async () => {
  const texts: Readonly<Record<string, string>> = {
    "/project.json": '{"mcpServers": {"a": {"command": "ours"}}}',
    "/user.json": '{"mcpServers": {"a": {"command": "mine"}, "b": {"command": "mine"}}}',
  };
  const { servers, diagnostics } = await loadMcpServers({
    files: {
      read: async (path) => {
        if (path === "/locked.json") throw new Error("/locked.json could not be read");
        return texts[path];
      },
    },
    configPaths: ["/project.json", "/locked.json", "/user.json", "/nowhere.json"],
  });
  expect([...servers]).toEqual([
    ["a", { command: "ours" }],
    ["b", { command: "mine" }],
  ]);
  expect(diagnostics).toEqual(["/locked.json could not be read"]);
});

test.each([
  ["plain", "plain"],
  ["Bearer $A", "Bearer 1"],
  [`${braced("A")}$B`, "1$A"],
  ["$$A costs $$5", "$A costs $5"],
  ["$5 and $", "$5 and $"],
])("%s is expanded once to %s", (text, expanded) => {
  const variables: Readonly<Record<string, string>> = { A: "1", B: "$A", EMPTY: "" };
  expect(expandVariables(text, (name) => variables[name])).toBe(expanded);
  expect(() => expandVariables(braced("EMPTY"), (name) => variables[name])).toThrow(
    "The variable EMPTY is not set.",
  );
});

test("a server is put into the file and taken out again, and everything else stays", async () => {
  const files = createLocalConfigFiles();
  const path = join(await temporaryFolder(), "mcp.json");
  const server = { path, name: "new", config: { command: "x" }, isPrivate: true };
  await saveMcpServer(files, server);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ mcpServers: { new: { command: "x" } } });
  const mine = '{\n  // mine\n  "mcpServers": { "a": { "command": "y" } },\n  "other": 1\n}\n';
  await writeFile(path, mine);
  await saveMcpServer(files, server);
  expect(await readFile(path, "utf8")).toContain("// mine");
  await saveMcpServer(files, { ...server, config: undefined });
  expect((await parseMcpConfig(await readFile(path, "utf8"), path)).servers.size).toBe(1);
  await expect(saveMcpServer(files, { ...server, config: { command: "" } })).rejects.toThrow(
    "cannot be saved",
  );
  await writeFile(path, "{ broken");
  await expect(saveMcpServer(files, server)).rejects.toThrow("is no JSON and was not changed");
  expect(await readFile(path, "utf8")).toBe("{ broken");
});
