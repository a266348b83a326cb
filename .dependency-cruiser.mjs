/** The layers of the product, top to bottom: a package imports only packages below it, types included. */
const layers = {
  ai: [],
  agent: ["ai"],
  session: ["ai", "agent"],
  compaction: ["ai", "agent", "session"],
  "coding-agent": ["ai", "agent", "session", "compaction"],
};

export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    ...Object.entries(layers).map(([name, below]) => ({
      name: `layer-${name}`,
      severity: "error",
      from: { path: `^packages/${name}/src` },
      to: { path: `^(packages/(?!(${[name, ...below].join("|")})/)|apps/|examples/|e2e/|bench/)` },
    })),
    {
      name: "public-entry-only",
      severity: "error",
      from: { path: "^(packages|apps)/([^/]+)/" },
      to: {
        path: "^packages/([^/]+)/src/(?!(index|node-post|foreign/index|testing/index|demo/index|providers/[^/]+/index|vendors/vendors)\\.ts$)",
        pathNot: "^packages/$2/",
      },
    },
    {
      name: "environment-only-in-cli",
      comment: "Only apps/cli reads the environment; packages take what they need as parameters.",
      severity: "error",
      from: { path: "^packages/[^/]+/src", pathNot: "\\.test\\.ts$|/testing/" },
      to: { path: "^(node:)?process$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|test|coverage)/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@coppice/source", "types", "import", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".d.ts", ".json"],
    },
  },
};
