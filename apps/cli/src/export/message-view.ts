import { callInput, callTitle } from "./call-input.ts";
import { contentParts } from "./content-parts.ts";
import type { AnswerPart, EntryView, ExportUsage } from "./export-data.ts";
import { asList, asNumber, asRecord, asText } from "./loose-value.ts";

type Loose = Readonly<Record<string, unknown>>;

/** Ends of an answer that need no word. */
const QUIET_ENDINGS: ReadonlySet<string> = new Set(["", "stop", "toolUse"]);

/** A message as the page shows it. Takes whatever a session file may hold. */
export function messageView(message: Loose): EntryView {
  switch (message.role) {
    case "user":
      return { kind: "prompt", parts: contentParts(message.content) };
    case "assistant":
      return answerView(message);
    case "toolResult":
      return resultView(message);
    case "bashExecution":
      return commandView(message);
    case "system":
      return { kind: "message", title: "System prompt", parts: systemParts(message), isFolded: true };
    case "custom":
      return customView(message);
    default:
      return { kind: "note", title: `Message of ${asText(message.role) || "nobody"}`, text: pretty(message) };
  }
}

/** An extension's message, as a message or as an entry. */
export function customView(holder: Loose): EntryView {
  return {
    kind: "message",
    title: asText(holder.customType) || "Message",
    parts: contentParts(holder.content),
    isFolded: holder.display === false,
  };
}

/** A usage of a message or an entry; undefined where it says nothing. */
export function usageView(value: unknown): ExportUsage | undefined {
  const usage = asRecord(value);
  const count = (name: string) => asNumber(usage[name]) ?? 0;
  const view = {
    inputTokens: count("input"),
    cacheReadTokens: count("cacheRead"),
    cacheWriteTokens: count("cacheWrite"),
    outputTokens: count("output"),
    costUsd: asNumber(asRecord(usage.cost).total) ?? 0,
  };
  return Object.values(view).every((number) => number === 0) ? undefined : view;
}

function answerView(message: Loose): EntryView {
  const ending = asText(message.stopReason);
  const error = asText(message.errorMessage);
  const usage = usageView(message.usage);
  const durationMs = asNumber(message.durationMs);
  const model = [asText(message.provider), asText(message.responseModel) || asText(message.model)];
  return {
    kind: "answer",
    model: model.filter((part) => part !== "").join("/"),
    parts: answerParts(message.content),
    ...(QUIET_ENDINGS.has(ending) ? {} : { ending }),
    ...(error === "" ? {} : { error }),
    ...(usage === undefined ? {} : { usage }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

/** Some writers store an answer's content as text. */
function answerParts(content: unknown): readonly AnswerPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asList(content).flatMap((item): AnswerPart[] => {
    const block = asRecord(item);
    if (block.type === "text") return [{ type: "text", text: asText(block.text) }];
    if (block.type === "thinking") {
      const text = block.redacted === true ? "(hidden by the provider)" : asText(block.thinking);
      return text === "" ? [] : [{ type: "thinking", text }];
    }
    if (block.type !== "toolCall") return [{ type: "text", text: pretty(block) }];
    const args = asRecord(block.arguments);
    return [
      {
        type: "call",
        callId: asText(block.id),
        tool: asText(block.name),
        title: callTitle(args),
        input: callInput(args),
      },
    ];
  });
}

function resultView(message: Loose): EntryView {
  const details = asRecord(message.details);
  const diff = asText(details.diff);
  return {
    kind: "result",
    callId: asText(message.toolCallId),
    tool: asText(message.toolName),
    isError: message.isError === true,
    parts: contentParts(message.content),
    ...(diff === "" ? {} : { diff }),
    facts: outcomeFacts(details),
  };
}

function commandView(message: Loose): EntryView {
  return {
    kind: "command",
    command: asText(message.command),
    output: asText(message.output),
    facts: [
      ...outcomeFacts(message),
      ...(message.cancelled === true ? ["stopped"] : []),
      ...(message.truncated === true ? ["output cut"] : []),
      ...(message.excludeFromContext === true ? ["not shown to the model"] : []),
    ],
  };
}

function outcomeFacts(holder: Loose): readonly string[] {
  const exitCode = asNumber(holder.exitCode);
  const durationMs = asNumber(holder.durationMs);
  return [
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    ...(typeof holder.signal === "string" ? [holder.signal] : []),
    ...(durationMs === undefined ? [] : [durationFact(durationMs)]),
  ];
}

function durationFact(durationMs: number): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

function systemParts(message: Loose) {
  const sections = Object.values(asRecord(message.sections)).map(asText);
  const text = [asText(message.content), ...sections].filter((part) => part !== "").join("\n\n");
  const tools = [...asList(message.toolsAdded)].map((tool) => asText(asRecord(tool).name)).filter(Boolean);
  const notice = tools.length === 0 ? "" : `Tools: ${tools.join(", ")}`;
  return contentParts([text, notice].filter((part) => part !== "").join("\n\n"));
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
