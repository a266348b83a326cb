import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { printRatios, timePaired } from "../paired-runs.ts";

/** Start time of the built CLI against pi's and an empty Node process. Budget: `--version` at most 1.5 times `node -e 0`. */
const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(root, "apps/cli/bin/coppice.js");
const pi = realpathSync(
  join(root, "interchange/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
);

printRatios(
  timePaired(
    [
      { name: "coppice --version (built)", command: [node, coppice, "--version"] },
      { name: "coppice --help (built)", command: [node, coppice, "--help"] },
      { name: "pi --version", command: [node, pi, "--version"], env: { PI_OFFLINE: "1" } },
      { name: "node -e 0", command: [node, "-e", "0"] },
    ],
    21,
  ),
);
