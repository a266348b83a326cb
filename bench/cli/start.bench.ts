import { join, resolve } from "node:path";
import { printRatios, timePaired } from "../paired-runs.ts";

/** Start time of the built CLI against an empty Node process. Budget: `--version` at most 1.5 times `node -e 0`. */
const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(root, "apps/cli/bin/coppice.js");

printRatios(
  timePaired(
    [
      { name: "coppice --version (built)", command: [node, coppice, "--version"] },
      { name: "coppice --help (built)", command: [node, coppice, "--help"] },
      { name: "node -e 0", command: [node, "-e", "0"] },
    ],
    21,
  ),
);
