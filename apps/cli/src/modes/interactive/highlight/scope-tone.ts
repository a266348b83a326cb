import type { Tone } from "../theme.ts";

/** Scopes of highlight.js 11 (docs/css-classes-reference.rst) by what they mean here; others keep the text's own colour. */
const TONES: Readonly<Record<string, Tone>> = {
  keyword: "keyword",
  literal: "keyword",
  "selector-tag": "keyword",
  "template-tag": "keyword",
  name: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "added",
  deletion: "removed",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  number: "number",
  symbol: "number",
  bullet: "number",
  title: "function",
  section: "function",
  built_in: "type",
  type: "type",
  class: "type",
  "selector-class": "type",
  "selector-id": "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  variable: "attribute",
  "template-variable": "attribute",
  meta: "meta",
  link: "link",
  strong: "strong",
  emphasis: "italic",
  code: "code",
};

/** The tone of a class such as `hljs-title function_`; undefined where the text keeps its colour. */
export function toneOfScope(classes: string): Tone | undefined {
  const [first = ""] = classes.split(" ");
  const scope = first.replace(/^hljs-/, "");
  if (scope === "title" && classes.includes("class_")) return "type";
  return Object.hasOwn(TONES, scope) ? TONES[scope] : undefined;
}
