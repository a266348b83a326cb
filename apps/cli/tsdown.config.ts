import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  platform: "node",
  target: "node22.19",
  outDir: "dist",
  dts: false,
  sourcemap: true,
  fixedExtension: false,
  // The terminal library exports everything from one module; only what is used may be loaded for the first frame.
  treeshake: {
    moduleSideEffects: [{ test: /[\\/](?:pi-tui|marked|marked-cjk-friendly)[\\/]/, sideEffects: false }],
  },
  inputOptions: {
    resolve: {
      conditionNames: ["@coppice/source", "node", "import", "default"],
      // jsonc-parser's `main` is UMD, whose requires a bundle cannot follow.
      mainFields: ["module", "main"],
    },
  },
});
