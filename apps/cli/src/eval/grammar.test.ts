import { expect, test } from "vitest";
import { createPlan } from "./grammar.ts";

/** Everything that the agent sees or does in the turns that hold facts. */
function saidIn(plan: ReturnType<typeof createPlan>): string {
  const shown = plan.turns.flatMap(({ steps }) =>
    steps.map((step) => (step.tool === "bash" ? step.command.replace("cat ", "") : step.path)),
  );
  return [
    ...plan.turns.map(({ prompt }) => prompt),
    ...shown,
    ...shown.map((path) => plan.files[path] ?? ""),
  ].join("\n");
}

test("the same seed gives the same session, another one another", () => {
  expect(JSON.stringify(createPlan(1))).toBe(JSON.stringify(createPlan(1)));
  expect(JSON.stringify(createPlan(1))).not.toBe(JSON.stringify(createPlan(2)));
});

test.each([1, 2, 3])("every fact of session %i is said exactly once, and none in the filler", (seed) => {
  const plan = createPlan(seed);
  const said = saidIn(plan);
  const times = (text: string) => said.split(text).length - 1;
  expect(plan.facts.filter(({ text }) => times(text) !== 1)).toEqual([]);
  const filler = [
    ...Array.from({ length: 30 }, (_, at) => plan.filler(at).prompt),
    ...Object.entries(plan.files).flatMap(([path, text]) => (path.startsWith("logs/") ? [text] : [])),
  ].join("\n");
  expect(plan.facts.filter(({ text }) => filler.includes(text))).toEqual([]);
});

test("no question gives its answer away, and a reversal comes after what it ends and names it", () => {
  const plan = createPlan(4);
  expect(plan.facts.filter(({ question, text }) => question.includes(text))).toEqual([]);
  const ended = plan.facts.filter(({ supersededBy }) => supersededBy !== undefined);
  expect(ended.length).toBeGreaterThan(2);
  const prompts = plan.turns.map(({ prompt }) => prompt);
  const at = (text = "") => prompts.findIndex((prompt) => prompt.includes(text));
  for (const { text, supersededBy } of ended) {
    const end = plan.facts.find(({ id }) => id === supersededBy)?.text ?? "";
    expect(end).toContain(text.split(" ").at(-1));
    expect(at(end)).toBeGreaterThan(at(text));
  }
});
