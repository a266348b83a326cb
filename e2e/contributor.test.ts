import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createWireServer, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { copyCheckout, NODE, ROOT } from "./checkout-copy.ts";
import { createPlayground, type Playground } from "./spawn-coppice.ts";

interface GuideBlock {
  readonly language: string;
  readonly path: string;
  readonly text: string;
}

/** The blocks of a guide that name a file: a whole new one (`ts`), or lines for an existing one (`diff`). */
async function guideBlocks(guide: string): Promise<readonly GuideBlock[]> {
  const text = await readFile(join(ROOT, "docs/guides", guide), "utf8");
  return [...text.matchAll(/^```(ts|diff) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", path = "", body = ""]) => ({ language, path, text: body }),
  );
}

/** Puts the added lines of a diff behind the line that stands before them there. */
function withAddedLines(text: string, diff: string): string {
  let anchor = "";
  let result = text;
  for (const line of diff.trimEnd().split("\n")) {
    const content = line.slice(1);
    if (line.startsWith("+")) {
      expect(result).toContain(`${anchor}\n`);
      result = result.replace(`${anchor}\n`, () => `${anchor}\n${content}\n`);
    }
    anchor = content;
  }
  return result;
}

/** Does what a guide says in a copy of the sources; answers which files that touched. */
async function applyGuide(
  root: string,
  guide: string,
  change = (text: string) => text,
): Promise<readonly GuideBlock[]> {
  const blocks = await guideBlocks(guide);
  for (const { language, path, text } of blocks) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    const now = language === "diff" ? withAddedLines(await readFile(file, "utf8"), text) : change(text);
    await writeFile(file, now);
  }
  return blocks;
}

function runCopy(
  root: string,
  {
    playground,
    args,
    env,
  }: { playground: Playground; args: readonly string[]; env?: Record<string, string> },
): Promise<string> {
  const main = join(root, "apps/cli/src/main.ts");
  return new Promise((resolve) => {
    const child = execFile(
      NODE,
      ["--conditions=@coppice/source", "--preserve-symlinks-main", main, ...args],
      { cwd: playground.project, env: { PATH: process.env.PATH, HOME: playground.home, ...env } },
      (error, stdout, stderr) => resolve(error ? `exit ${error.code}: ${stdout}${stderr}` : stdout),
    );
    child.stdin?.end();
  });
}

const addedLines = (block: GuideBlock | undefined) =>
  block?.text.split("\n").filter((line) => line.startsWith("+"));

test("a new tool is one folder and one registration line, as the guide shows", async () => {
  await using copy = await copyCheckout();
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  await writeFile(join(playground.project, "three.txt"), "1\n2\n3\n");
  const [tool, registration, ...rest] = await applyGuide(copy.root, "add-a-tool.md");
  expect({ tool: tool?.path, lines: addedLines(registration)?.length, rest }).toEqual({
    tool: "packages/coding-agent/src/tools/count/tool.ts",
    lines: 1,
    rest: [],
  });

  await using server = await createWireServer({
    answers: [
      scriptedToolCall("count", { path: "three.txt" }),
      (request) => `I was told: ${request.turns.at(-1)?.text}`,
    ],
  });
  const address = ["--base-url", server.baseUrl("openai-completions"), "--model", "wire-1"];
  const env = { COPPICE_API_KEY: server.apiKey };
  const stdout = await runCopy(copy.root, { playground, env, args: [...address, "-p", "count three.txt"] });
  expect(stdout).toContain("I was told: three.txt has 3 lines.");
  expect(server.rejections).toEqual([]);
}, 60_000);

test("a new provider over a known wire format is one folder and one registration line, as the guide shows", async () => {
  await using copy = await copyCheckout();
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  await using server = await createWireServer({ answers: ["The anvil answers."], apiKey: "acme-key" });
  const address = server.baseUrl("openai-completions");
  const [models, registration, ...rest] = await applyGuide(copy.root, "add-a-provider.md", (text) =>
    text.replace("http://127.0.0.1:8080/v1", address),
  );
  expect({ models: models?.path, lines: addedLines(registration)?.length, rest }).toEqual({
    models: "packages/ai/src/vendors/acme/models.ts",
    lines: 1,
    rest: [],
  });

  const env = { ACME_API_KEY: "acme-key" };
  const stdout = await runCopy(copy.root, { playground, env, args: ["--model", "anvil", "-p", "hello"] });
  expect(stdout).toContain("The anvil answers.");
  expect(server.rejections).toEqual([]);
}, 60_000);
