import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Model, modelName, supportedThinkingLevels, type ThinkingLevel } from "@coppice/ai";
import { PERMISSION_MODES, type PermissionMode } from "@coppice/coding-agent";

const MODE_WORDS: Readonly<Record<PermissionMode, { readonly name: string; readonly description: string }>> =
  {
    "read-only": { name: "Read only", description: "Looks, and changes nothing" },
    ask: { name: "Ask", description: "Asks before what may do harm" },
    auto: { name: "Auto", description: "Does whatever no rule forbids" },
  };

/** How careful the agent is, as the editor's modes. */
export function modeState(currentModeId: PermissionMode): SessionModeState {
  return {
    currentModeId,
    availableModes: PERMISSION_MODES.map((id) => ({ id, ...MODE_WORDS[id] })),
  };
}

export interface Choices {
  readonly mode: PermissionMode;
  readonly model: Model;
  /** Those that can be asked. */
  readonly models: readonly Model[];
  readonly thinkingLevel: ThinkingLevel;
}

/** What the editor lets its user choose. */
export function configOptions({ mode, model, models, thinkingLevel }: Choices): SessionConfigOption[] {
  const levels = [...new Set([...supportedThinkingLevels(model), thinkingLevel])];
  const names = [...new Set([modelName(model), ...models.map(modelName)])];
  return [
    {
      ...{ type: "select", id: "mode", name: "Permissions", category: "mode", currentValue: mode },
      options: PERMISSION_MODES.map((value) => ({ value, ...MODE_WORDS[value] })),
    },
    {
      ...{ type: "select", id: "model", name: "Model", category: "model", currentValue: modelName(model) },
      options: names.map((value) => ({ value, name: value })),
    },
    {
      ...{ type: "select", id: "thinking", name: "Thinking", category: "thought_level" },
      currentValue: thinkingLevel,
      options: levels.map((value) => ({ value, name: value })),
    },
  ];
}
