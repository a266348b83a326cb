import { inspectFuzzedSessions } from "../../packages/coding-agent/test/inspected-sessions.ts";
import { compareUndonePreviews, compareUndoTwins } from "../../packages/coding-agent/test/undo-twins.ts";
import "../../scripts/property-seed.ts";

/**
 * What tests hold for random sessions, counted: the bodies are those of the tests.
 *
 * `--report` looks at fewer, so that other benches have their time.
 */
const isReport = process.argv.includes("--report");
const UNDO_TREES = isReport ? 500 : 10_000;
const PREVIEWED_TREES = isReport ? 30 : 1000;
const FUZZED_SESSIONS = isReport ? 20 : 500;

console.log(
  `undo: next request byte-equal to that of a twin that never compacted: ${await compareUndoTwins(UNDO_TREES)} of ${UNDO_TREES} random trees compared`,
);
console.log(
  `the same as whole agents show it: ${await compareUndonePreviews(PREVIEWED_TREES)} of ${PREVIEWED_TREES} random trees compared`,
);
const { sessions, sameRequests, compactedFirst } = await inspectFuzzedSessions(FUZZED_SESSIONS);
console.log(
  `parts that sum to the payload, one state an entry: ${sessions} of ${FUZZED_SESSIONS} fuzzed sessions compared`,
);
console.log(
  `request shown byte-equal to the one then sent: ${sameRequests} of ${FUZZED_SESSIONS - compactedFirst} compared; ${compactedFirst} said that they would compact first`,
);
