import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf } from "../../test/answer-of.ts";
import { builtinProviders } from "../builtin-providers.ts";
import { eventOrderProblem } from "../testing/conformance/event-order.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const REMOVED = Symbol("removed");

/** A JSON value with the `at`-th field of it (depth first) replaced or removed. */
function mutated(value: unknown, at: number, replacement: unknown): unknown {
  let count = 0;
  const walk = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).flatMap(([key, child]): [string, unknown][] => {
      if (count++ !== at) return [[key, walk(child)]];
      return replacement === REMOVED ? [] : [[key, replacement]];
    });
    return Array.isArray(node) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
  };
  return walk(value);
}

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  const streams = globSync(`${api}/*/response.sse`, { cwd: FIXTURES })
    .sort()
    .map((path) => readFileSync(join(FIXTURES, path), "utf8"));

  test("AI-21, B099: any field missing, null or of another type: no throw, one terminal event, only known codes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...streams),
        fc.nat(),
        fc.nat(40),
        fc.constantFrom<unknown[]>(REMOVED, null, 0, "", "x", [], {}, [null], true),
        async (stream, frameAt, fieldAt, replacement) => {
          const lines = stream.split("\n");
          const data = lines.flatMap((line, at) => (/^data: (\{|\[\{)/.test(line) ? [at] : []));
          const place = data[frameAt % data.length] ?? 0;
          const json: unknown = JSON.parse((lines[place] ?? "").slice("data: ".length));
          lines[place] = `data: ${JSON.stringify(mutated(json, fieldAt, replacement))}`;
          const { message, events } = await answerOf(api, lines.join("\n"));
          expect(eventOrderProblem(events)).toBeUndefined();
          const { totalTokens, input, output, cacheRead, cacheWrite } = message.usage;
          expect(totalTokens).toBe(input + output + cacheRead + cacheWrite);
          // A slip of ours would surface as an error of JavaScript's.
          expect(message.errorMessage ?? "").not.toMatch(
            /undefined|not a function|not iterable|cannot read/i,
          );
        },
      ),
      { numRuns: 250 },
    );
  });
});
