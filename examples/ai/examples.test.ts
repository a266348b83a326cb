import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinProviders } from "@coppice/ai";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";

/** Each example as a reader runs it, with what it prints. */
test.each([
  {
    file: "01-stream.ts",
    prints: ["thought: Three of them.", "answer: Ash, hazel, oak.", "the same at the end: true, stop"],
  },
  {
    file: "02-tools.ts",
    prints: ['height({"tree":"oak"}): 25', 'height({"wood":"ash"}): refused', "An oak is 25 m high."],
  },
  {
    file: "03-switch-model.ts",
    prints: [...Object.keys(builtinProviders).map((api) => `${api} was here.`), "refused: 0"],
  },
  {
    file: "04-retry.ts",
    prints: ["attempt 1 failed: rate_limited", "attempt 2 failed: network", "Here I am.", "quota false"],
  },
  {
    file: "05-local-server.ts",
    prints: [
      "local/qwen3:8b over openai-completions: Hello from next door.",
      "tokens counted: true",
      expect.stringMatching(/^There is no model "local\/qwen8:3b". Closest: local\/qwen3:8b/),
    ],
  },
  { file: "06-own-provider.ts", prints: ["A wood.", "error There is nothing to echo."] },
])("examples/ai/$file runs", ({ file, prints }) => {
  const path = `${import.meta.dirname}/${file}`;
  const run = spawnSync(process.execPath, ["--conditions=@coppice/source", path], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout.trimEnd().split("\n")).toEqual(prints);
});

test("the example of the package's README runs, against a server that stands for the vendor's", async () => {
  await using server = await createWireServer({ answers: ["Ash, hazel, oak."], maxOutputTokens: 128_000 });
  const readme = readFileSync(`${import.meta.dirname}/../../packages/ai/README.md`, "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  // Only the address and the key differ from what a reader runs.
  const code = example
    .replaceAll("sk-…", server.apiKey)
    .replace(
      'await findModel("sonnet:low");',
      `await findModel("sonnet:low").then((found) => ({ ...found, model: { ...found.model, baseUrl: "${server.baseUrl("anthropic-messages")}" } }));`,
    );
  const child = spawn(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module-typescript", "--eval", code],
    { cwd: import.meta.dirname },
  );
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await new Promise((resolve) => child.on("close", resolve));
  expect(errors).toBe("");
  expect(output).toMatch(/^Ash, hazel, oak\.stop 16 0\.\d+\n$/);
  expect(server.rejections).toEqual([]);
});
