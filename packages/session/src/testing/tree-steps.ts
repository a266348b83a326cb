import type { Session } from "../session.ts";
import { isMetadata } from "../tree.ts";
import { assistantMessage, userMessage } from "./sample-messages.ts";

/** One thing done to a session. `at` picks an earlier entry by its number, counted over all that were made. */
export type TreeStep =
  | {
      readonly do: "user" | "assistant" | "custom" | "model" | "level" | "tools" | "usage";
      readonly text: string;
    }
  | { readonly do: "name"; readonly text: string }
  | { readonly do: "move"; readonly at: number | undefined }
  | { readonly do: "label" | "hide" | "replace"; readonly at: number; readonly text: string }
  | { readonly do: "compact"; readonly at: number | undefined; readonly text: string }
  | { readonly do: "branch"; readonly at: number; readonly text: string };

const KINDS = [
  "user",
  "assistant",
  "user",
  "assistant",
  "custom",
  "model",
  "level",
  "tools",
  "usage",
  "name",
  "move",
  "label",
  "hide",
  "replace",
  "compact",
  "branch",
] as const;

/**
 * A script for a session from any numbers, so that a property test shrinks it: `fc.array(fc.nat()).map(treeSteps)`.
 *
 * A step that needs an earlier entry is left out while there is none.
 */
export function treeSteps(numbers: readonly number[]): readonly TreeStep[] {
  const steps: TreeStep[] = [];
  for (const [index, number] of numbers.entries()) {
    const kind = KINDS[number % KINDS.length] ?? "user";
    const text = `${kind} ${index}`;
    const at = steps.length === 0 ? undefined : Math.floor(number / KINDS.length) % steps.length;
    if (kind === "move" || kind === "compact")
      steps.push({ do: kind, at: number % 7 === 0 ? undefined : at, text });
    else if (kind === "label" || kind === "hide" || kind === "replace" || kind === "branch") {
      if (at !== undefined) steps.push({ do: kind, at, text });
    } else steps.push({ do: kind, text });
  }
  return steps;
}

/** Plays a script on a session, step by step. */
export async function playSteps(session: Session, steps: readonly TreeStep[]): Promise<void> {
  for (const step of steps) await playStep(session, step);
}

async function playStep(session: Session, step: TreeStep): Promise<void> {
  const entries = (await session.getEntries()).filter((entry) => !isMetadata(entry));
  const target =
    "at" in step && step.at !== undefined ? entries[step.at % (entries.length || 1)]?.id : undefined;
  if ("at" in step && step.at !== undefined && target === undefined) return;
  switch (step.do) {
    case "move":
      return session.moveTo(target ?? null);
    case "label":
      await session.appendLabel(target ?? "", step.text);
      return;
    case "hide":
      await session.appendContextEdit(target ?? "", null);
      return;
    case "replace":
      await session.appendContextEdit(target ?? "", { content: step.text });
      return;
    case "compact": {
      const onPath = (await session.getBranch()).some(({ id }) => id === target);
      const { model, thinkingLevel, activeToolNames } = await session.buildContext();
      await session.appendCompaction({
        checkpoint: {
          ...(model === undefined ? {} : { model }),
          ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
          ...(activeToolNames === undefined ? {} : { activeToolNames }),
        },
        summary: step.text,
        firstKeptEntryId: onPath && target !== undefined ? target : "",
        tokensBefore: 1,
      });
      return;
    }
    case "branch":
      await session.branchWithSummary(target ?? null, { summary: step.text });
      return;
    default:
      await playSimpleStep(session, step);
  }
}

async function playSimpleStep(
  session: Session,
  { do: kind, text }: { do: string; text: string },
): Promise<void> {
  if (kind === "user") await session.appendMessage(userMessage(text));
  else if (kind === "assistant") await session.appendMessage(assistantMessage(text));
  else if (kind === "custom") await session.appendCustomEntry("test", { text });
  else if (kind === "model") await session.appendModelChange("provider", text);
  else if (kind === "level") await session.appendThinkingLevelChange("high");
  else if (kind === "tools") await session.appendActiveToolsChange([text]);
  else if (kind === "name") await session.appendSessionName(text);
  else {
    const { usage } = assistantMessage(text);
    await session.appendUsage({ kind: "test", provider: "provider", model: "model-1", usage });
  }
}
