import { SUMMARIZATION_PROMPT, TURN_PREFIX_SUMMARIZATION_PROMPT } from "./prompts.ts";
import { languageOf } from "./text-language.ts";

/** What a summary was made from, to tell a summary from an echo and its words from the user's. */
export interface SummarySource {
  /** Everything that was to be summarised, as text. */
  readonly conversation: string;
  /** What the user wrote of it. */
  readonly userText: string;
}

const HEADING_LINE = /^#{1,6} .*$/gm;
/** Letters and digits that a summary says beside its headings; fewer is an empty form. */
const LEAST_LETTERS = 4;
const NOTHING = /\((?:none|nothing|n\/a|keine?s?|无|なし)\)|\b(?:none|n\/a|tbd|todo)\b/gi;
/** Answers of this length that begin like a refusal are one; longer ones speak of a refusal. */
const REFUSAL_CHARS = 600;
const REFUSAL =
  /^[\s\-*>"“]*(?:i(?:['’]m| am) (?:sorry|unable|not able)|(?:sorry|unfortunately),? (?:but )?i\b|i (?:can(?:no|['’])t|won['’]t|will not|must decline)|as an ai\b|es tut mir leid|ich kann (?:das|dabei|dir|ihnen) (?:leider )?nicht|抱歉|对不起|很遗憾|我(?:不能|无法))/i;
const TOOL_CALL_TEXT =
  /<(?:tool_call|function_calls?|invoke|\|tool)|^\s*\{\s*"(?:name|tool|function)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|parameters|input)"/im;
/** An order to drop what is in force: nothing that a summary has to say, unless the user said it. */
const OVERRIDE =
  /(?:forget|ignore|disregard|override|drop)\b[^.\n]{0,40}\b(?:all|any|previous|prior|earlier|above|every)\b[^.\n]{0,40}\b(?:rules?|instructions?|constraints?|pins?|prompts?)|(?:vergiss|ignorier\w*|missacht\w*)[^.\n]{0,40}(?:alle|bisherige\w*|vorige\w*)[^.\n]{0,40}(?:regeln|anweisungen)|(?:忘记|忽略|无视)[^。\n]{0,12}(?:规则|指令|指示)/i;
const CODE_FENCE = /^```/gm;
/** Lines of the prompts that explain a heading: an answer with them is the form, not filled in. */
const FORM_LINES = [SUMMARIZATION_PROMPT, TURN_PREFIX_SUMMARIZATION_PROMPT].flatMap((prompt) =>
  [...prompt.matchAll(/^#{2,3} .*\n(.{30,})$/gm)].map((match) => match[1] ?? ""),
);
const MOST_FORM_LINES = 2;

/** Why a text of the right shape is still no good summary; undefined when nothing speaks against it. */
export function doubtAbout(text: string, source: SummarySource | undefined): string | undefined {
  const body = text.replace(HEADING_LINE, "").trim();
  const said = body.replace(NOTHING, "").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (said < LEAST_LETTERS) return "It has headings and says nothing under them.";
  if (FORM_LINES.filter((line) => text.includes(line)).length >= MOST_FORM_LINES) {
    return "It repeats the form that was asked for instead of filling it in.";
  }
  if (text.length < REFUSAL_CHARS && REFUSAL.test(body)) return "It is a refusal.";
  if (TOOL_CALL_TEXT.test(text)) return "It is a tool call written as text.";
  if ((text.match(CODE_FENCE)?.length ?? 0) % 2 === 1)
    return "It ends inside a block of code: it was cut off.";
  return source && doubtAgainst(text, source, body);
}

function doubtAgainst(text: string, { conversation, userText }: SummarySource, body: string) {
  if (conversation.includes(text)) return "It repeats a part of the conversation instead of summarising it.";
  const order = OVERRIDE.exec(text)?.[0];
  if (order !== undefined && !userText.includes(order)) {
    return `It gives an order that the user did not give: "${order}".`;
  }
  const [own, user] = [languageOf(body), languageOf(userText)];
  // English is what models fall back to, and a summary in it still serves; any other language is a sign of confusion.
  if (own !== undefined && user !== undefined && own !== user && own !== "en") {
    return `It is written in another language (${own}) than the conversation (${user}).`;
  }
  return undefined;
}
