import type { SystemMessage, ThinkingLevel } from "@coppice/ai";
import { type AnyEntry, type Checkpoint, isEntry } from "./entry.ts";
import { foldSystemMessages } from "./system-message.ts";

/** What a branch says about how to go on. Undefined = the branch says nothing. */
export interface SessionContextState {
  readonly thinkingLevel: ThinkingLevel | undefined;
  readonly model: { readonly provider: string; readonly modelId: string } | undefined;
  readonly activeToolNames: readonly string[] | undefined;
  /** All system messages of the path folded into one: sections and tools in force. */
  readonly systemMessage: SystemMessage | undefined;
}

const EMPTY_STATE: SessionContextState = {
  thinkingLevel: undefined,
  model: undefined,
  activeToolNames: undefined,
  systemMessage: undefined,
};

/** The state with the source of its thinking level, which decides what may replace it. */
export interface StateFold {
  readonly state: SessionContextState;
  readonly levelIsChosen: boolean;
}

export const EMPTY_FOLD: StateFold = { state: EMPTY_STATE, levelIsChosen: false };

/**
 * Thinking level, model, active tools and system message after a path (root first).
 *
 * A chosen thinking level holds over the levels that answers report. A compaction's checkpoint and system message
 * stand for everything before it.
 */
export function deriveSessionContextState(path: readonly AnyEntry[]): SessionContextState {
  return path.reduce(foldState, EMPTY_FOLD).state;
}

/** The state after one more entry of the path. */
export function foldState(fold: StateFold, entry: AnyEntry): StateFold {
  const { state } = fold;
  if (isEntry(entry, "message")) return foldMessage(fold, entry.message as { readonly role: string });
  if (isEntry(entry, "model_change")) {
    return { ...fold, state: { ...state, model: { provider: entry.provider, modelId: entry.modelId } } };
  }
  if (isEntry(entry, "thinking_level_change")) {
    return { state: { ...state, thinkingLevel: entry.thinkingLevel }, levelIsChosen: true };
  }
  if (isEntry(entry, "active_tools_change")) {
    return { ...fold, state: { ...state, activeToolNames: entry.activeToolNames } };
  }
  if (isEntry(entry, "compaction")) return foldCompaction(fold, entry.checkpoint, entry.systemMessage);
  return fold;
}

function foldMessage(fold: StateFold, message: { readonly role: string }): StateFold {
  const { state } = fold;
  if (message.role === "system") {
    const systemMessage = foldSystemMessages(state.systemMessage, message as SystemMessage);
    return { ...fold, state: { ...state, systemMessage } };
  }
  if (message.role !== "assistant") return fold;
  const { provider, model, thinkingLevel } = message as {
    readonly provider?: string;
    readonly model?: string;
    readonly thinkingLevel?: ThinkingLevel;
  };
  const named = typeof provider === "string" && typeof model === "string";
  const reported = fold.levelIsChosen ? state.thinkingLevel : (thinkingLevel ?? state.thinkingLevel);
  return {
    ...fold,
    state: {
      ...state,
      model: named ? { provider, modelId: model } : state.model,
      thinkingLevel: reported,
    },
  };
}

function foldCompaction(
  fold: StateFold,
  checkpoint: Checkpoint | undefined,
  systemMessage: SystemMessage | undefined,
): StateFold {
  const { state } = fold;
  return {
    state: {
      model: checkpoint?.model ?? state.model,
      thinkingLevel: checkpoint?.thinkingLevel ?? state.thinkingLevel,
      activeToolNames: checkpoint?.activeToolNames ?? state.activeToolNames,
      systemMessage: systemMessage ?? state.systemMessage,
    },
    levelIsChosen: fold.levelIsChosen || checkpoint?.thinkingLevel !== undefined,
  };
}
