import { defineConfig } from "tsdown";

/** One file for the root: forty small modules cost forty reads at every start. Types come from the compiler. */
export default defineConfig({
  entry: [
    "src/index.ts",
    "src/node-post.ts",
    "src/partial-json.ts",
    "src/testing/index.ts",
    "src/providers/*/index.ts",
    "src/vendors/vendors.ts",
  ],
  format: "esm",
  platform: "node",
  target: "node22.19",
  outDir: "dist",
  dts: false,
  sourcemap: true,
  fixedExtension: false,
});
