import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Faults that concern the loop, each with what must hold. A test that shows it has the id in its name.
 *
 * Retries and their waiting (B139, B140, B142, B144, B146) and the wording of requests (B111 to B118, B132, B135, B138)
 * belong to the packages that do them.
 */
const faults: Readonly<Record<string, string>> = {
  "AG-01": "one run at a time, from its first await on",
  "AG-02": "steering waits for the batch",
  "AG-03": "a queued message is delivered once, in order, or handed back",
  "AG-04": "continue is legal when something waits for an answer",
  "AG-05": "results in source order; a throw affects its call only",
  "AG-06": "after an abort nothing new starts and every call has its result",
  "AG-07": "a throw and a declared error are both errors",
  "AG-08": "invalid arguments are answered, the loop goes on",
  "AG-09": "a batch may end the run",
  "AG-10": "prompt resolves after the last attempt",
  "AG-11": "listeners are awaited in order",
  "AG-12": "a message said aside waits for the results and asks for nothing",
  "AG-13": "tools and prompt changed inside a run count from the next request",
  "AG-14": "settled comes once, after retries and queue",
  "AG-15": "reset is refused during a run",
  "AG-16": "the model, and with it the key, is that of each request",
  "AG-17": "an abort during the start sends no request",
  "AG-18": "nested calls count in totals and are not told as top-level ones",
  "AG-19": "listeners that come and go disturb nobody",
  "AG-20": "the last answer is one that neither failed nor was aborted",
  B057: "what was queued before an answer is not taken for unanswered",
  B106: "arguments that are no JSON object never run",
  B117: "an aborted answer of thinking alone stays replayable",
  B120: "calls without results stay replayable",
  B121: "an abort during three calls leaves three results",
  B126: "ids of one provider are taken by another",
  B127: "null content is empty",
  B128: "an answer without text and call stays replayable",
  B130: "a silent tool stays replayable",
  B136: "half an emoji stays replayable",
  B147: "prompt resolves after a retry with tools",
  B148: "calls of a broken answer never run",
  B229: "a guard that throws blocks its call",
  B232: "what throws or hangs at the end of a run leaves the agent idle",
  B233: "several result hooks all apply",
  B234: "a malformed result is brought into shape",
  B235: "arguments that a hook spoils are refused",
  B236: "a reload during a call keeps its result",
  B240: "an unknown or empty tool name is answered",
};

/** Ids that open the name of a test or of a row of one: `"AG-06, B121: …"`. */
const NAME = /["`]((?:AG-\d{2}|B\d{3})(?:, (?:AG-\d{2}|B\d{3}))*): /g;
const cited = new Set(
  globSync("{src,test}/**/*.test.ts", { cwd: `${import.meta.dirname}/..` })
    .map((file) => readFileSync(`${import.meta.dirname}/../${file}`, "utf8"))
    .flatMap((text) => [...text.matchAll(NAME)])
    .flatMap(([, ids = ""]) => ids.split(", ")),
);

test.each(Object.entries(faults))("%s has a test: %s", (id) => {
  expect([...cited]).toContain(id);
});

test("every id that a test cites is in the table", () => {
  expect([...cited].filter((id) => !Object.hasOwn(faults, id))).toEqual([]);
});
