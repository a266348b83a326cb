import { availableParallelism } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createLocalFiles } from "../env/local-files.ts";
import { IndexedTree } from "./indexed-tree.ts";
import { localReader } from "./local-reader.ts";
import { ReadingCrew } from "./reading-crew.ts";
import type { ThreadAnswer, ThreadCall, ThreadData } from "./thread-tree.ts";

// What the thread of `ThreadTree` runs: one tree, asked by messages. It imports nothing from outside this package.
const { root, homeDirectory, maxFiles, isWatched } = workerData as ThreadData;
/** More do not help: what they find is put together in this thread. */
const MOST_HELPERS = 3;
const helperCount = Math.min(MOST_HELPERS, availableParallelism() - 1);
const tree = new IndexedTree({
  ...{ root, homeDirectory, maxFiles, isWatched },
  reader: localReader,
  ...(helperCount < 1 ? {} : { firstReader: new ReadingCrew({ threadCount: helperCount }) }),
  files: createLocalFiles({ newSuffix: () => "never-written" }),
});

function answer({ method, argument }: ThreadCall): unknown {
  switch (method) {
    case "warm":
      return tree.warm();
    case "baseline":
      return tree.baseline(argument);
    case "giveWay":
      return tree.giveWay();
    case "changes":
      return tree.changes();
    case "verify":
      return tree.verify(argument);
    case "takeUnkept":
      return tree.takeUnkept(argument);
  }
}

parentPort?.on("message", async (call: ThreadCall) => {
  try {
    const value = await answer(call);
    parentPort?.postMessage({ id: call.id, value } satisfies ThreadAnswer);
  } catch {
    parentPort?.postMessage({ id: call.id } satisfies ThreadAnswer);
  }
});
