import { defineConfig } from "tsdown";

/** One file for the root: fifty small modules cost fifty reads at every start. Types come from the compiler. */
export default defineConfig({
  entry: ["src/index.ts", "src/foreign/index.ts", "src/testing/index.ts"],
  format: "esm",
  platform: "node",
  target: "node22.19",
  outDir: "dist",
  dts: false,
  sourcemap: true,
  fixedExtension: false,
});
