import type { AgentMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { pathBuilder } from "./testing/index.ts";
import { unresolvedFailure } from "./unresolved-failure.ts";

function run(...steps: readonly (readonly [command: string, isError: boolean])[]): readonly AgentMessage[] {
  const builder = pathBuilder();
  steps.forEach(([command, isError], index) => {
    builder.toolCall(`t${index}`, "bash", { command });
    builder.toolResult(`t${index}`, `output of ${command}`, { isError });
  });
  return builder.path.map((entry) => (entry as unknown as { readonly message: AgentMessage }).message);
}

test("the newest failure counts while the same command has not succeeded since", () => {
  expect(unresolvedFailure(run(["npm test", true], ["ls", false]))).toBe(
    "bash: npm test\noutput of npm test",
  );
  expect(unresolvedFailure(run(["npm test", true], ["npm test", false]))).toBeUndefined();
  expect(unresolvedFailure(run(["a", true], ["b", true], ["b", false]))).toBe("bash: a\noutput of a");
});

test("a failure of the history before is carried until its command succeeds", () => {
  const carried = "bash: npm test\nold output";
  expect(unresolvedFailure(run(["ls", false]), carried)).toBe(carried);
  expect(unresolvedFailure(run(["npm test", false]), carried)).toBeUndefined();
});
