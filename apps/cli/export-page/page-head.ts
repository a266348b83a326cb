import type { ExportData } from "../src/export/export-data.ts";
import { costText, timeText, tokensText } from "./amounts.ts";
import { type Child, element } from "./dom.ts";
import { plainLine } from "./shown-text.ts";

/** The name of the session, or its first prompt. */
export function pageTitle({ session, entries }: ExportData): string {
  const first = entries.find(({ view }) => view.kind === "prompt")?.view;
  const prompt = first?.kind === "prompt" ? first.parts.find((part) => part.type === "text") : undefined;
  return plainLine(session.name ?? (prompt?.type === "text" ? prompt.text : ""), 90) || "Session";
}

/** Where and when the session was, what it took, and what a reader should know about this copy of it. */
export function pageFacts(data: ExportData): HTMLElement {
  const { session, totals, redactedSecrets, problems, exportedAt } = data;
  const input = totals.inputTokens + totals.cacheReadTokens + totals.cacheWriteTokens;
  const cached = input === 0 ? 0 : Math.round((100 * totals.cacheReadTokens) / input);
  return element(
    "section",
    { class: "page-facts" },
    element(
      "dl",
      {},
      ...fact("Session", plainLine(session.id, 60)),
      ...fact("Directory", plainLine(session.cwd, 200)),
      ...fact("Started", timeText(session.createdAt)),
      ...fact("Exported", timeText(exportedAt)),
      ...fact(
        "Messages",
        `${totals.userMessages} prompts, ${totals.assistantMessages} answers, ${totals.toolCalls} tool calls`,
      ),
      ...fact(
        "Tokens",
        `${tokensText(input)} in (${cached} % cached), ${tokensText(totals.outputTokens)} out`,
      ),
      ...fact("Cost", totals.costUsd > 0 ? costText(totals.costUsd) : "not known"),
      ...fact("Compactions", String(totals.compactions)),
      ...fact("Secrets", secretsText(redactedSecrets)),
    ),
    ...problemList(problems),
  );
}

function secretsText(count: number | null): string {
  if (count === null) return "not looked for; this page holds everything";
  return count === 0 ? "none of a known form" : `${count} of known forms replaced`;
}

function fact(name: string, value: string): readonly Child[] {
  return value === "" ? [] : [element("div", {}, element("dt", {}, name), element("dd", {}, value))];
}

function problemList(problems: readonly string[]): readonly Child[] {
  if (problems.length === 0) return [];
  const items = problems.slice(0, 20).map((problem) => element("li", {}, plainLine(problem, 300)));
  return [element("div", { class: "problems" }, "The session file has damage:", element("ul", {}, ...items))];
}
