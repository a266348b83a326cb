import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { defineConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";

const roots = globSync("{packages/*,apps/*,examples,e2e,interchange}/package.json", {
  cwd: import.meta.dirname,
})
  .map(dirname)
  .sort();
const nameOf = (root: string): string =>
  JSON.parse(readFileSync(`${import.meta.dirname}/${root}/package.json`, "utf8")).name;
const conditions = ["@coppice/source", "node", "module", "import", "default"];

/** CI reads this plain closing line; a file that cannot be loaded counts as one failure. */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.errors().length > 0) count.failed++;
    }
    const skipped = count.skipped + count.pending;
    console.log(`${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  },
};

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: [`${import.meta.dirname}/scripts/property-seed.ts`],
    reporters: ["default", closingLine],
    // Without it one core stays idle, also where there are two.
    maxWorkers: "100%",
    // A shared machine may be many times slower than a quiet one; what hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**", "apps/*/src/**"],
      exclude: ["**/*.test.ts"],
    },
    projects: roots.map((root) => ({
      extends: true as const,
      test: {
        name: nameOf(root),
        root,
        include: ["**/*.test.ts"],
        exclude: ["**/node_modules/**", "**/dist/**"],
      },
    })),
  },
});
