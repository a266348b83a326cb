import { fileText } from "../listing.ts";
import type { DemoPlan, DemoTurn, FinishedCall, PastTurn } from "../turn.ts";

/** "Show FILE": one read, quoted. */
export function showFile(path: string): DemoPlan {
  return ({ batches }) => {
    const [read] = batches[0] ?? [];
    if (!read)
      return { kind: "call", say: `Reading ${path}.`, calls: [{ name: "read", arguments: { path } }] };
    if (read.isError) return { kind: "answer", text: `I could not read \`${path}\`: ${read.text}` };
    const text = fileText(read.text);
    return {
      kind: "answer",
      text: `\`${path}\` (${text.split("\n").length} lines read):\n\n\`\`\`\n${text}\n\`\`\``,
    };
  };
}

/** "Run `command`": the literal command, reported with its output. */
export function runCommand(command: string): DemoPlan {
  return ({ batches }) => {
    const [ran] = batches[0] ?? [];
    if (!ran)
      return {
        kind: "call",
        say: `Running \`${command}\`.`,
        calls: [{ name: "bash", arguments: { command } }],
      };
    return {
      kind: "answer",
      text: `\`${command}\` ${ran.isError ? "failed" : "ended without an error"}:\n\n\`\`\`\n${ran.text.trimEnd()}\n\`\`\``,
    };
  };
}

/** "What did I ask?": what the context still holds of earlier turns. */
export const recallHistory: DemoPlan = (turn) => ({ kind: "answer", text: recalled(turn) });

function recalled({ history, summaries }: DemoTurn): string {
  if (history.length === 0 && summaries.length === 0) {
    return "This is the first prompt that I see in this session.";
  }
  const older = summaries.map((summary) => `From a summary of older history:\n\n${summary}`);
  const turns = history.map((past, index) => `${index + 1}. You asked: “${past.prompt}”\n${didFor(past)}`);
  const head =
    history.length > 0 ? [`Before this prompt the context holds ${history.length} earlier prompt(s):`] : [];
  return [...older, ...head, ...turns].join("\n\n");
}

function didFor({ calls, answer }: PastTurn): string {
  const list = calls.map((call) => {
    const subject = call.arguments.path ?? call.arguments.command ?? call.arguments.pattern;
    return `${call.name}${typeof subject === "string" ? ` ${subject}` : ""}${endOf(call)}`;
  });
  const firstLine = answer.split("\n").find((line) => line.trim() !== "");
  return [
    calls.length > 0 ? `   I called: ${list.join(", ")}.` : "   I called no tool.",
    firstLine === undefined ? "   I gave no answer." : `   My answer began: “${firstLine.trim()}”`,
  ].join("\n");
}

/** How a call ended, in the words of its result; nothing for a good one. */
function endOf({ isError, text }: Pick<FinishedCall, "isError" | "text">): string {
  if (!isError) return "";
  const interrupted = /outcome of this call is unknown|aborted|not started/i.exec(text)?.[0];
  if (interrupted === undefined) return " (failed)";
  return /unknown/i.test(interrupted) ? " (interrupted; its outcome is unknown)" : " (stopped)";
}

/** Anything else: what the demo can do. */
export const sayWhatWorks: DemoPlan = () => ({
  kind: "answer",
  text: [
    "I follow fixed rules, so I only understand a few requests:",
    "",
    "- explain this project",
    "- find TODOs",
    "- where is NAME defined",
    "- run the tests",
    "- replace A with B in FILE",
    "- show FILE",
    "- run `command`",
    "- what did I ask so far",
  ].join("\n"),
});
