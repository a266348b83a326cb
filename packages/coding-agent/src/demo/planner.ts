import { type DemoIntent, readIntent } from "./intent.ts";
import { explainProject } from "./plans/explain.ts";
import { findTodos } from "./plans/find-todos.ts";
import { replaceText } from "./plans/replace-text.ts";
import { runTests } from "./plans/run-tests.ts";
import { recallHistory, runCommand, sayWhatWorks, showFile } from "./plans/small-plans.ts";
import { whereDefined } from "./plans/where-defined.ts";
import type { DemoPlan, DemoStep, DemoTurn } from "./turn.ts";

/** Stands at the end of every answer: what this model is and what to do for a real one. */
export const DEMO_NOTE =
  "— This is Coppice's offline demo: fixed rules, no language model. To connect a model, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a server with --base-url URL --model NAME.";

function planFor(intent: DemoIntent): DemoPlan {
  switch (intent.kind) {
    case "explain":
      return explainProject;
    case "find_todos":
      return findTodos;
    case "where_defined":
      return whereDefined(intent.symbol);
    case "run_tests":
      return runTests;
    case "replace":
      return replaceText(intent);
    case "show_file":
      return showFile(intent.path);
    case "run_command":
      return runCommand(intent.command);
    case "recall":
      return recallHistory;
    case "unknown":
      return sayWhatWorks;
  }
}

/** The next step of a turn. A plan whose tool is not active ends with an answer that says so. */
export function nextStep(turn: DemoTurn): DemoStep {
  const step = planFor(readIntent(turn.prompt))(turn);
  if (step.kind === "answer") return { kind: "answer", text: `${step.text}\n\n${DEMO_NOTE}` };
  const missing = step.calls.find((call) => !turn.toolNames.has(call.name));
  if (!missing) return step;
  return {
    kind: "answer",
    text: `This needs the tool \`${missing.name}\`, which is not active.\n\n${DEMO_NOTE}`,
  };
}
