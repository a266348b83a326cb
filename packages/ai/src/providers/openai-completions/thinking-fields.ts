import type { Model } from "../../model.ts";
import type { ChatRequest } from "../../request.ts";
import { clampThinkingLevel, THINKING_BUDGET_TOKENS, thinkingWord } from "../../thinking.ts";
import type { ThinkingLevel } from "../../thinking-level.ts";
import type { Quirks } from "./quirks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The body fields that switch thinking on this server; none for models that do not reason or no level asked for. */
export function thinkingFields({ model, thinkingLevel }: ChatRequest, quirks: Quirks): Fields {
  if (!model.reasoning || thinkingLevel === undefined) return {};
  const level = clampThinkingLevel(model, thinkingLevel);
  const field = quirks.thinkingTokenBudgetField;
  return {
    ...formatFields({ model, level, quirks }),
    ...(field === undefined || level === "off" ? {} : { [field]: THINKING_BUDGET_TOKENS[level] }),
  };
}

interface Wanted {
  readonly model: Model;
  readonly level: ThinkingLevel;
  readonly quirks: Quirks;
}

function formatFields({ model, level, quirks }: Wanted): Fields {
  const isOn = level !== "off";
  const word = thinkingWord(model, level);
  /** `off` is only a word of the API where the model's entry says so. */
  const hasWord = isOn || typeof model.thinkingLevels?.off === "string";
  const effort = quirks.supportsReasoningEffort && hasWord ? { reasoning_effort: word } : {};
  switch (quirks.thinkingFormat) {
    case "openai":
      return effort;
    case "openrouter":
      return { reasoning: isOn ? { effort: word } : { enabled: false } };
    case "deepseek":
      return { thinking: { type: isOn ? "enabled" : "disabled" }, ...(isOn ? effort : {}) };
    case "zai":
      return { thinking: { type: isOn ? "enabled" : "disabled" } };
    case "together":
      return { reasoning: { enabled: isOn }, ...(isOn ? effort : {}) };
    case "qwen":
      return { enable_thinking: isOn };
    case "chat-template":
      return { chat_template_kwargs: { enable_thinking: isOn, ...filled(quirks.chatTemplateArgs, isOn) } };
    case "baseten":
      return {
        chat_template_args: filled(quirks.chatTemplateArgs ?? { enable_thinking: isOn }, isOn),
        ...effort,
      };
  }
}

/** Template arguments with `{"$var": "thinking.enabled"}` replaced by whether thinking is on. */
function filled(args: Fields | undefined, isOn: boolean): Fields {
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([key, value]) => [key, isVariable(value) ? isOn : value]),
  );
}

function isVariable(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as Fields).$var === "thinking.enabled";
}
