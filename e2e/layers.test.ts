import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyCheckout, NODE } from "./checkout-copy.ts";

/** Rule → a file that breaks it. The cycle is one of types only. */
const SEEDED: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  "layer-ai": {
    path: "packages/ai/src/seeded-up.ts",
    text: 'import type { AgentEvent } from "../../agent/src/index.ts";\nexport type Up = AgentEvent;\n',
  },
  "layer-session": {
    path: "packages/session/src/seeded-up.ts",
    text: 'import { shouldCompact } from "../../compaction/src/index.ts";\nexport const up = shouldCompact;\n',
  },
  resolvable: {
    path: "packages/ai/src/seeded-undeclared.ts",
    text: 'import type { AgentEvent } from "@coppice/agent";\nexport type Undeclared = AgentEvent;\n',
  },
  "public-entry-only": {
    path: "packages/agent/src/seeded-deep.ts",
    text: 'import type { Message } from "../../ai/src/message.ts";\nexport type Deep = Message;\n',
  },
  "environment-only-in-cli": {
    path: "packages/coding-agent/src/seeded-environment.ts",
    text: 'import { env } from "node:process";\nexport const home = env.HOME;\n',
  },
  "no-cycles": {
    path: "packages/session/src/seeded-cycle-a.ts",
    text: 'import type { B } from "./seeded-cycle-b.ts";\nexport interface A {\n  readonly b: B;\n}\n',
  },
};

const OTHER_HALF_OF_CYCLE = {
  path: "packages/session/src/seeded-cycle-b.ts",
  text: 'import type { A } from "./seeded-cycle-a.ts";\nexport interface B {\n  readonly a: A;\n}\n',
};

function checkLayers(root: string): Promise<{ readonly exitCode: number; readonly output: string }> {
  const bin = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  return new Promise((resolve) => {
    execFile(NODE, [bin, "packages", "apps"], { cwd: root }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

test("the layer check passes on the sources and names every seeded violation, cycles of types included", async () => {
  await using copy = await copyCheckout();
  const clean = await checkLayers(copy.root);
  expect(clean, clean.output).toMatchObject({ exitCode: 0 });

  for (const { path, text } of [...Object.values(SEEDED), OTHER_HALF_OF_CYCLE]) {
    await mkdir(dirname(join(copy.root, path)), { recursive: true });
    await writeFile(join(copy.root, path), text);
  }
  const { exitCode, output } = await checkLayers(copy.root);
  expect(exitCode).not.toBe(0);
  const named = Object.entries(SEEDED).map(([rule, { path }]) => {
    const lines = output.split("\n").filter((line) => line.includes(`error ${rule}:`));
    return {
      rule,
      isNamed: lines.some(
        (line) => line.includes(path) || (rule === "no-cycles" && line.includes("seeded-cycle")),
      ),
    };
  });
  expect(named).toEqual(Object.keys(SEEDED).map((rule) => ({ rule, isNamed: true })));
}, 240_000);
