import { answerCases } from "./answer-cases.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { failureCases } from "./failure-cases.ts";

/**
 * The behaviours that every provider shares, each run over real HTTP against the wire server.
 *
 * Needs no test framework: `for (const { name, run } of providerConformance) test(name, () => run({ provider }))`.
 */
export const providerConformance: readonly ConformanceCase[] = [...answerCases, ...failureCases];
