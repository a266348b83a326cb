import type {
  AnswerView,
  EntryView,
  ExportEntry,
  ExportUsage,
  ResultView,
} from "../src/export/export-data.ts";
import { entryAddress } from "./address.ts";
import { costText, durationText, timeText, tokensText } from "./amounts.ts";
import { contentElement } from "./content-element.ts";
import { appendAll, type Child, element } from "./dom.ts";
import { folded } from "./folded.ts";
import { diffText, longText, markdown, shownText } from "./render-text.ts";
import { plainLine } from "./shown-text.ts";
import { toolCard } from "./tool-card.ts";

/** What an entry's element needs to know about its surroundings. */
export interface EntryPlace {
  readonly entry: ExportEntry;
  /** The result of a call of this entry. */
  resultOf(callId: string): { readonly id: string; readonly view: ResultView } | undefined;
  /** Buttons to the other ways that lead on from the entry before. */
  readonly siblings: HTMLElement | undefined;
  /** True for what the model no longer sees. */
  readonly isForgotten: boolean;
}

/** An entry of the conversation with its head (who, when, address) and what it says. */
export function entryElement(place: EntryPlace): HTMLElement {
  const { entry, isForgotten, siblings } = place;
  const { view } = entry;
  const kind = view.kind === "summary" ? `summary ${view.of}` : view.kind;
  const article = element(
    "article",
    { class: `entry ${kind}${isForgotten ? " forgotten" : ""}`, attributes: { tabindex: "-1" } },
    element("header", {}, ...head(entry, isForgotten), siblings),
  );
  appendAll(article, body(view, place));
  return article;
}

function head({ id, at, label, view }: ExportEntry, isForgotten: boolean): readonly Child[] {
  return [
    element("span", { class: "who" }, whoText(view)),
    label === undefined ? undefined : element("span", { class: "label" }, plainLine(label, 80)),
    isForgotten
      ? element(
          "span",
          { class: "tag", title: "From here on: compacted or hidden" },
          "no longer in the context",
        )
      : undefined,
    element("span", { class: "facts" }, factsText(view)),
    element(
      "a",
      {
        class: "link",
        title: `Address of entry ${plainLine(id, 60)}`,
        attributes: { href: entryAddress(id) },
      },
      timeText(at) || "#",
    ),
  ];
}

function whoText(view: EntryView): string {
  switch (view.kind) {
    case "prompt":
      return "You";
    case "answer":
      return plainLine(view.model, 60) || "Assistant";
    case "result":
      return `Result of ${plainLine(view.tool, 40)}`;
    case "command":
      return "You ran";
    case "summary":
      return view.of === "compaction" ? "Compaction" : "Summary of another branch";
    case "message":
    case "note":
      return plainLine(view.title, 160);
  }
}

function factsText(view: EntryView): string {
  if (view.kind === "answer") {
    const duration = view.durationMs === undefined ? [] : [durationText(view.durationMs)];
    return [...duration, ...usageFacts(view.usage)].join(" · ");
  }
  if (view.kind !== "summary") return view.kind === "command" ? view.facts.join(" · ") : "";
  const before = view.tokensBefore === undefined ? [] : [`${tokensText(view.tokensBefore)} tokens before`];
  return [...before, ...usageFacts(view.usage)].join(" · ");
}

function usageFacts(usage: ExportUsage | undefined): readonly string[] {
  if (usage === undefined) return [];
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const cost = usage.costUsd > 0 ? [costText(usage.costUsd)] : [];
  return [`${tokensText(input)} in`, `${tokensText(usage.outputTokens)} out`, ...cost];
}

function body(view: EntryView, place: EntryPlace): readonly Child[] {
  switch (view.kind) {
    case "prompt":
      return view.parts.map(contentElement);
    case "answer":
      return answerElements(view, place);
    case "result":
      return [...(view.diff === undefined ? [] : [diffText(view.diff)]), ...view.parts.map(contentElement)];
    case "command":
      return [longText(`$ ${view.command}`, "sh"), view.output === "" ? undefined : longText(view.output)];
    case "summary":
      return [markdown(view.text)];
    case "message":
      if (!view.isFolded) return view.parts.map(contentElement);
      return [folded("Show", () => view.parts.map(contentElement))];
    case "note": {
      const { text } = view;
      return text === undefined ? [] : [folded("Show", () => [longText(text)])];
    }
  }
}

function answerElements(view: AnswerView, place: EntryPlace): readonly Child[] {
  const parts = view.parts.map((part): Child => {
    if (part.type === "text") return part.text.trim() === "" ? undefined : markdown(part.text);
    if (part.type === "thinking") return folded("Thinking", () => [longText(part.text)], "thinking");
    return toolCard(part, place.resultOf(part.callId));
  });
  const error = view.error ?? (view.ending === undefined ? undefined : `Ended: ${view.ending}`);
  return [...parts, error === undefined ? undefined : element("p", { class: "error" }, ...shownText(error))];
}
