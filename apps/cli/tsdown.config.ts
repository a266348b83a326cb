import http from "node:http";
import { defineConfig } from "tsdown";

const base = {
  format: "esm",
  platform: "node",
  target: "node22.19",
  outDir: "dist",
  fixedExtension: false,
} as const;

const PLAIN_HTTP = "\0plain-http";

/**
 * `node:http` by its properties: an import reads all of them, and with those that are made when they are first read
 * (`WebSocket`) it loads `fetch` and all that this brings, a third of the time of a short run.
 */
const plainHttp = {
  name: "plain-http",
  resolveId: (source: string) => (source === "node:http" || source === "http" ? PLAIN_HTTP : null),
  load(id: string) {
    if (id !== PLAIN_HTTP) return null;
    const fields = Object.entries(Object.getOwnPropertyDescriptors(http));
    const plain = fields.filter(([, { get }]) => get === undefined).map(([name]) => name);
    return `const http = process.getBuiltinModule("node:http");
export const { ${plain.join(", ")} } = http;
export default http;`;
  },
};
export default defineConfig([
  {
    ...base,
    entry: {
      main: "src/main.ts",
      // What a thread runs must be a file of its own, beside the one that starts it.
      "tree-thread": "../../packages/coding-agent/src/file-tree/tree-thread.ts",
    },
    dts: false,
    sourcemap: true,
    plugins: [plainHttp],
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
]);
