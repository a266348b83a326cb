import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import { outputLimit, promptCharsOf } from "../../output-limit.ts";
import type { ChatRequest } from "../../request.ts";
import { clampThinkingLevel, THINKING_BUDGET_TOKENS } from "../../thinking.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { geminiSchema } from "./schema.ts";
import type {
  WireContent,
  WireFunction,
  WireGenerationConfig,
  WireInlineData,
  WirePart,
  WireRequest,
} from "./wire.ts";

/** Stands before a conversation whose first message is the model's: calls must follow a user's turn. */
const OPENING_TEXT = "(The conversation so far was shortened.)";
const IMAGE_FOLLOWS_TEXT = "(see the image below)";
const RESULT_IMAGES_TEXT = "Images of the results above:";
/** Lets a call pass that another model made: https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11). */
const NO_SIGNATURE = "skip_thought_signature_validator";

/** A repaired request as a `generateContent` body. The same history always gives the same bytes. */
export function encode(request: ChatRequest): WireRequest {
  const contents = encodeContents(request);
  const functions = (request.tools ?? []).map(
    ({ name, description, parameters }): WireFunction => ({
      name,
      description,
      parametersJsonSchema: geminiSchema(parameters),
    }),
  );
  const hasTools = functions.length > 0;
  const generationConfig = encodeConfig(request, promptCharsOf({ contents, functions }));
  return {
    contents,
    ...(request.systemPrompt?.trim()
      ? { systemInstruction: { parts: [{ text: request.systemPrompt }] } }
      : {}),
    ...(hasTools ? { tools: [{ functionDeclarations: functions }] } : {}),
    ...(hasTools && request.toolChoice === "none"
      ? { toolConfig: { functionCallingConfig: { mode: "NONE" } } }
      : {}),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
}

function encodeConfig(request: ChatRequest, promptChars: number): WireGenerationConfig {
  const { model, maxOutputTokens, temperature } = request;
  const thinkingConfig = encodeThinking(request);
  return {
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: outputLimit({ model, requestedTokens: maxOutputTokens, promptChars }) }),
    ...(temperature === undefined || model.quirks?.supportsTemperature === false ? {} : { temperature }),
    ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
  };
}

/** Models whose entry has words take a level, older ones a budget. */
function encodeThinking({ model, thinkingLevel }: ChatRequest): WireGenerationConfig["thinkingConfig"] {
  if (!model.reasoning || thinkingLevel === undefined) return undefined;
  const level = clampThinkingLevel(model, thinkingLevel);
  const word = model.thinkingLevels?.[level];
  const shown = level === "off" ? {} : ({ includeThoughts: true } as const);
  if (typeof word === "string") return { ...shown, thinkingLevel: word };
  const { minThinkingBudget } = dialectOf(model);
  return { ...shown, thinkingBudget: level === "off" ? minThinkingBudget : THINKING_BUDGET_TOKENS[level] };
}

function encodeContents(request: ChatRequest): WireContent[] {
  const dialect = dialectOf(request.model);
  const contents: WireContent[] = [];
  for (const [at, message] of request.messages.entries()) {
    const isFirstResult = message.role === "toolResult" && request.messages[at - 1]?.role !== "toolResult";
    if (message.role === "toolResult") {
      if (isFirstResult) contents.push(...encodeResults(resultsFrom(request.messages, at), dialect));
      continue;
    }
    const next = encodeMessage(message, dialect);
    if (next === undefined || next.parts.length === 0) continue;
    if (contents.length === 0 && next.role === "model") {
      contents.push({ role: "user", parts: [{ text: OPENING_TEXT }] });
    }
    append(contents, next);
  }
  return contents;
}

/** Turns of one side in a row become one; results stay a turn of their own, as many as the calls before them. */
function append(contents: WireContent[], next: WireContent): void {
  const last = contents.at(-1);
  const isResults = last?.parts.some((part) => "functionResponse" in part) ?? false;
  if (last?.role === next.role && !isResults) last.parts.push(...next.parts);
  else contents.push(next);
}

function encodeMessage(
  message: Exclude<Message, ToolResultMessage>,
  dialect: Dialect,
): WireContent | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user": {
      const { content } = message;
      const parts = typeof content === "string" ? [{ text: content }] : content.map(encodePart);
      return { role: "user", parts };
    }
    case "assistant":
      return { role: "model", parts: encodeAssistant(message, dialect) };
  }
}

function encodePart(part: TextContent | ImageContent): WirePart {
  return part.type === "text" ? { text: part.text } : encodeImage(part);
}

function encodeImage({ mimeType, data }: ImageContent): WireInlineData {
  return { inlineData: { mimeType, data } };
}

function encodeAssistant(message: AssistantMessage, dialect: Dialect): WirePart[] {
  const firstCall = message.content.find((block) => block.type === "toolCall");
  return message.content.flatMap((block) =>
    encodeBlock(block, { dialect, isFirstCall: block === firstCall }),
  );
}

function encodeBlock(
  block: AssistantContent,
  { dialect, isFirstCall }: { readonly dialect: Dialect; readonly isFirstCall: boolean },
): readonly WirePart[] {
  switch (block.type) {
    case "text":
      return [{ text: block.text, ...signed(block.textSignature) }];
    case "thinking":
      // Thoughts are summaries: only their signature means anything to the model.
      return block.thinkingSignature
        ? [{ text: block.thinking, thought: true, ...signed(block.thinkingSignature) }]
        : [];
    case "toolCall": {
      const { id, name, arguments: args } = block;
      const missing = dialect.requiresSignatures && isFirstCall ? NO_SIGNATURE : undefined;
      return [
        {
          functionCall: { ...(dialect.sendsCallIds ? { id } : {}), name, args },
          ...signed(block.thoughtSignature ?? missing),
        },
      ];
    }
  }
}

function signed(signature: string | undefined): { readonly thoughtSignature?: string } {
  return signature === undefined || signature === "" ? {} : { thoughtSignature: signature };
}

function resultsFrom(messages: readonly Message[], at: number): readonly ToolResultMessage[] {
  const end = messages.findIndex((message, index) => index > at && message.role !== "toolResult");
  return messages
    .slice(at, end < 0 ? undefined : end)
    .filter((message): message is ToolResultMessage => message.role === "toolResult");
}

/** The results of one turn in one content; images inside where the model takes them there, else right after. */
function encodeResults(results: readonly ToolResultMessage[], dialect: Dialect): readonly WireContent[] {
  const parts = results.map((result) => encodeResult(result, dialect));
  const images = dialect.nestsResultImages ? [] : results.flatMap(imagesOf);
  return [
    { role: "user", parts },
    ...(images.length === 0
      ? []
      : [{ role: "user" as const, parts: [{ text: RESULT_IMAGES_TEXT }, ...images] }]),
  ];
}

function encodeResult(result: ToolResultMessage, dialect: Dialect): WirePart {
  const images = imagesOf(result);
  const text = textOf(result.content) || (images.length > 0 ? IMAGE_FOLLOWS_TEXT : "");
  return {
    functionResponse: {
      ...(dialect.sendsCallIds ? { id: result.toolCallId } : {}),
      name: result.toolName,
      response: result.isError ? { error: text } : { output: text },
      ...(dialect.nestsResultImages && images.length > 0 ? { parts: images } : {}),
    },
  };
}

function imagesOf({ content }: ToolResultMessage): readonly WireInlineData[] {
  return content.flatMap((part) => (part.type === "image" ? [encodeImage(part)] : []));
}
