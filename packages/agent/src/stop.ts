import type { FinishedTurn } from "./hooks.ts";

/** Decides after a turn whether the run ends there. */
export type StopCondition = (turn: FinishedTurn) => boolean | Promise<boolean>;

/** Ends a run after this many turns. */
export function maxTurns(count: number): StopCondition {
  return (turn) => turn.turnIndex + 1 >= count;
}

/** Ends a run after a turn in which the tool succeeded. */
export function afterTool(toolName: string): StopCondition {
  return (turn) => turn.toolResults.some((result) => result.toolName === toolName && !result.isError);
}

/** Ends a run as soon as one of the conditions does. */
export function anyOf(...conditions: readonly StopCondition[]): StopCondition {
  return async (turn) => {
    for (const condition of conditions) {
      if (await condition(turn)) return true;
    }
    return false;
  };
}
