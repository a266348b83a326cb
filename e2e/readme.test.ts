import { access, constants, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./checkout-copy.ts";

test("the README names two commands that do all the set-up, and says what works and what does not", async () => {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const { packageManager, scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const commands = (/```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "").trim().split("\n");
  expect(commands.map((line) => line.replace(/\s+#.*/, ""))).toEqual([
    './coppice -p "explain this project"',
    `npx -y ${packageManager} test`,
  ]);
  await access(join(ROOT, "coppice"), constants.X_OK);
  expect(scripts.test).toBeDefined();
  expect(readme).toMatch(/## What works today\n[\s\S]+## What does not work yet\n/);
});

test("links between the documents lead to files", async () => {
  const pages = ["README.md", "docs/index.md", "docs/architecture.md"];
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(ROOT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      const exists = await access(join(ROOT, dirname(page), target)).then(
        () => true,
        () => false,
      );
      if (!exists) broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});
