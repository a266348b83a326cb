import type { AnyEntry } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EarlierState, FileChange, FileState } from "./file-state.ts";
import { planRewind } from "./rewind-plan.ts";

type Files = ReadonlyMap<string, FileState>;

/** A position of a tree: the branch to it, and what the files held there. */
interface Place {
  readonly branch: readonly AnyEntry[];
  readonly files: Files;
}

const PATHS = ["a", "b", "c"] as const;
const version = fc.oneof(
  fc.constant(null),
  fc.record({ hash: fc.constantFrom("1", "2", "3"), mode: fc.constantFrom(0o644, 0o755) }),
);
/** Goes to one of the places so far, with its files, and makes a call there. */
const step = fc.record({
  from: fc.nat(),
  writes: fc.array(fc.record({ path: fc.constantFrom(...PATHS), state: version }), { maxLength: 3 }),
});

function callEntry(id: string, timestamp: number): readonly AnyEntry[] {
  const base = { parentId: null, timestamp: "" };
  const call = { type: "toolCall", id, name: "write", arguments: {} };
  return [
    {
      ...base,
      type: "message",
      id: `${timestamp}`,
      message: { role: "assistant", content: [call], timestamp },
    },
    {
      ...base,
      type: "message",
      id: `${timestamp}r`,
      message: {
        role: "toolResult",
        toolCallId: id,
        toolName: "write",
        content: [],
        timestamp: timestamp + 5,
      },
    },
  ] as unknown as readonly AnyEntry[];
}

test("between any two places of any tree, the plan turns the files of one into those of the other", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (steps, one, other) => {
      const changes: FileChange[] = [];
      const places: Place[] = [
        { branch: [], files: new Map(PATHS.map((path) => [path, { hash: "0", mode: 0o644 }])) },
      ];
      for (const [at, { from, writes }] of steps.entries()) {
        const { branch, files } = places[from % places.length] ??
          places[0] ?? { branch: [], files: new Map() };
        const next = new Map(files);
        const timestamp = at * 10;
        for (const { path, state } of writes) {
          // Ids repeat, as those of some servers do.
          const before: EarlierState = next.get(path) ?? null;
          changes.push({ toolCallId: `call-${at % 2}`, atMs: timestamp + 1, path, before, after: state });
          next.set(path, state);
        }
        places.push({ branch: [...branch, ...callEntry(`call-${at % 2}`, timestamp)], files: next });
      }
      const [here, there] = [places[one % places.length], places[other % places.length]];
      if (here === undefined || there === undefined) return;
      const plan = planRewind({ here: here.branch, there: there.branch, changes });
      const result = new Map(here.files);
      for (const { path, expected, target } of plan) {
        expect(expected).toEqual(here.files.get(path));
        result.set(path, target as FileState);
      }
      expect(result).toEqual(there.files);
    }),
    { numRuns: 500 },
  );
});
