import { defineConfig } from "tsdown";

const base = {
  format: "esm",
  platform: "node",
  target: "node22.19",
  outDir: "dist",
  fixedExtension: false,
} as const;

/**
 * Takes from these modules of Node what is asked for only. An import reads all that a module exports, and some make parts
 * of it when they are first read: that of `node:http` loads `fetch`, a third of the time of a short run.
 */
const takesByName = {
  name: "takes-by-name",
  renderChunk: (code: string) => ({
    code: code.replace(
      /^import (\{[^}]*\}|\w+|\* as \w+) from "(?:node:)?(http|util)";$/gm,
      (_, names: string, module: string) => {
        const taken = names.replaceAll(" as ", ": ").replace("*: ", "");
        return `const ${taken} = process.getBuiltinModule("node:${module}");`;
      },
    ),
  }),
};

/**
 * Writes what is not ASCII in escapes. A file with one other character takes twice the memory as a text, and longer to
 * read: a megabyte and two milliseconds of every run.
 */
const inAscii = {
  name: "in-ascii",
  generateBundle(_: unknown, bundle: Record<string, { code?: string }>) {
    for (const file of Object.values(bundle)) {
      if (file.code === undefined) continue;
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

export default defineConfig([
  {
    ...base,
    entry: {
      main: "src/main.ts",
      eval: "src/eval/index.ts",
      // What a thread runs must be a file of its own, beside the one that starts it.
      "tree-thread": "../../packages/coding-agent/src/file-tree/tree-thread.ts",
      "reading-thread": "../../packages/coding-agent/src/file-tree/reading-thread.ts",
    },
    dts: false,
    sourcemap: true,
    plugins: [takesByName, inAscii],
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
  },
  {
    ...base,
    // What programs import; the types of the packages are in it, since those are no dependencies of the published one.
    entry: { "rpc-client": "src/modes/rpc/client.ts" },
    clean: false,
    dts: true,
    inputOptions: { resolve: { conditionNames: ["types", "node", "import", "default"] } },
  },
  {
    ...base,
    // The same of the benchmark; its code shares that of the program.
    entry: { eval: "src/eval/index.ts" },
    clean: false,
    dts: { emitDtsOnly: true },
    inputOptions: { resolve: { conditionNames: ["types", "node", "import", "default"] } },
  },
]);
