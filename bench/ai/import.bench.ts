import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { printRatios, timePaired } from "../paired-runs.ts";

/**
 * Importing the built `@coppice/ai` against an empty module: whole processes, in turn. Budget: at most 15 ms more.
 *
 * Build first: `pnpm build`.
 */
const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const entry = join(root, "packages/ai/dist/index.js");

if (existsSync(entry)) {
  const script = (code: string) => [node, "--input-type=module", "--eval", code] as const;
  const timings = timePaired(
    [
      { name: "import @coppice/ai", command: script(`await import(${JSON.stringify(entry)})`) },
      { name: "an empty module", command: script("export {}") },
    ],
    31,
  );
  printRatios(timings);
  const [ours, empty] = timings;
  if (ours && empty) {
    console.log(
      `over the empty module: min ${(ours.minMs - empty.minMs).toFixed(1)} ms, median ${(ours.medianMs - empty.medianMs).toFixed(1)} ms`,
    );
  }
} else console.log("skipped: packages/ai is not built (pnpm build)");
