import type { AnswerPart, InputSection, ResultView } from "../src/export/export-data.ts";
import { entryAddress } from "./address.ts";
import { languageOf } from "./code-tokens.ts";
import { contentElement } from "./content-element.ts";
import { type Child, element } from "./dom.ts";

import { folded, setFolded } from "./folded.ts";
import { diffText, longText } from "./render-text.ts";
import { plainLine } from "./shown-text.ts";

type Call = Extract<AnswerPart, { readonly type: "call" }>;

/** A call of a tool with its result: one line that unfolds. Changes of files and failures stand open. */
export function toolCard(
  call: Call,
  result: { readonly id: string; readonly view: ResultView } | undefined,
): HTMLElement {
  const state = result === undefined ? "open" : result.view.isError ? "failed" : "done";
  const mark = { open: "○", failed: "✗", done: "✓" }[state];
  const outcome = { open: "no result", failed: "failed", done: "" }[state];
  const facts = [outcome, ...(result?.view.facts ?? [])].filter((fact) => fact !== "").join(" · ");
  const title: readonly Child[] = [
    element("span", { class: "state", attributes: { "aria-hidden": "true" } }, mark),
    element("span", { class: "tool-name" }, plainLine(call.tool, 60)),
    element("code", { class: "tool-title" }, plainLine(call.title, 200)),
    element("span", { class: "facts" }, plainLine(facts, 80)),
  ];
  const card = folded(title, () => cardBody(call, result), `tool ${state}`);
  if (isChange(call, result) || state === "failed") setFolded(card, true);
  return card;
}

function isChange(call: Call, result: { readonly view: ResultView } | undefined): boolean {
  return result?.view.diff !== undefined || call.input.some(({ isDiff }) => isDiff);
}

function cardBody(
  call: Call,
  result: { readonly id: string; readonly view: ResultView } | undefined,
): readonly Child[] {
  const diff = result?.view.diff;
  // What a tool reports of its change has line numbers and context; the call's own form says less.
  const sections = call.input.filter(({ isDiff }) => !isDiff || diff === undefined);
  const path = call.input.find(({ name }) => name === "path" || name === "file_path")?.text ?? "";
  return [
    ...sections
      .filter((section) => section.text !== call.title)
      .map((section) => inputElement(call, section, path)),
    ...sections
      .filter((section) => section.text === call.title && call.title.length > 60)
      .map(({ text }) => longText(text)),
    diff === undefined ? undefined : diffText(diff),
    ...(result === undefined ? [] : resultElements(result, call.tool === "read" ? languageOf(path) : "")),
  ];
}

function inputElement(call: Call, { name, text, isDiff }: InputSection, path: string): HTMLElement {
  const language =
    name === "command" ? "sh" : name === "content" ? languageOf(path) : name === "arguments" ? "json" : "";
  const shown = isDiff ? diffText(text) : longText(text, language);
  const isPlain = call.input.length === 1 || isDiff;
  return element(
    "div",
    { class: "input" },
    isPlain ? undefined : element("span", { class: "name" }, plainLine(name, 60)),
    shown,
  );
}

function resultElements(
  { id, view }: { readonly id: string; readonly view: ResultView },
  language: string,
): readonly Child[] {
  const parts = view.parts.map((part) =>
    part.type === "text" ? longText(part.text, language) : contentElement(part),
  );
  const link = element(
    "a",
    { class: "link", title: "Address of this result", attributes: { href: entryAddress(id) } },
    "result #",
  );
  return [element("div", { class: "output" }, element("span", { class: "name" }, "output"), ...parts), link];
}
