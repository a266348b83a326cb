import type { CompactionOutlook } from "@coppice/coding-agent";
import { tokensText } from "../../../render/units.ts";
import { TextEditor } from "../views/text-editor.ts";
import type { CommandHost, SlashCommand } from "./command.ts";

export const compactCommand: SlashCommand = {
  name: "compact",
  argument: "[focus]",
  help: "summarise what came before: shows what would go and stay first; the summary can be edited",
  async run(host, argument) {
    const outlook = await host.agent.previewCompaction();
    const how = await host.pick({
      title: outlookLines(outlook),
      choices: [
        { value: "now", label: "Compact" },
        { value: "draft", label: "Write the summary, and let me change it first" },
      ],
    });
    const instructions = argument === "" ? {} : { instructions: argument };
    if (how === "now") await host.agent.compact(instructions);
    else if (how === "draft") await compactByDraft(host, instructions);
  },
};

/** What a compaction now would do, and cost; no model was asked. */
function outlookLines({ preview }: CompactionOutlook): readonly string[] {
  const { goes, stays, shortened, tokensBefore, tokensAfter, calls, usage } = preview;
  const rows = [
    `  goes into a summary  ${goes.messages} messages, ${tokensText(goes.tokens)} tokens`,
    `  stays word for word  ${stays.messages} messages, ${tokensText(stays.tokens)} tokens`,
    ...(shortened === 0 ? [] : [`  is sent shorter      ${shortened} long results`]),
    `  the context          ${tokensText(tokensBefore)} → at most ${tokensText(tokensAfter)} tokens`,
    `  costs at most        $${usage.cost.total.toFixed(4)} for ${calls} ${calls === 1 ? "request" : "requests"}`,
  ];
  return ["Everything stays in the session; /undo-compact takes it back.", ...rows, ""];
}

async function compactByDraft(
  host: CommandHost,
  instructions: { readonly instructions?: string },
): Promise<void> {
  const draft = await host.working("Writing the summary", host.agent.draftCompaction(instructions));
  const size = `${tokensText(draft.tokensBefore)} → ${tokensText(draft.tokensAfter)} tokens`;
  const summary = await host.open<string>(
    (onDone) =>
      new TextEditor({
        ...{ tui: host.tui, paint: host.paint, onDone, text: draft.summary },
        title: `The summary (${size}); the model will know the past by it alone`,
      }),
  );
  if (summary === undefined) return host.notice("The draft was given up; the session is as it was.");
  const changed = summary.trim() === draft.summary.trim() ? {} : { summary };
  await host.agent.compact({ draft: { id: draft.id, ...changed } });
}

export const undoCompactCommand: SlashCommand = {
  name: "undo-compact",
  help: "take the last compaction or shortening of old results back: the model sees all of it again",
  async run(host) {
    const { tokens, unmasked } = await host.agent.undoCompaction();
    await host.reload();
    const size = `${tokensText(tokens)} tokens`;
    host.notice(
      unmasked === 0
        ? `The compaction is taken back: ${size}. /redo-compact brings it back.`
        : `${unmasked === 1 ? "One old result is" : `${unmasked} old results are`} sent whole again: ${size}.`,
    );
  },
};

export const redoCompactCommand: SlashCommand = {
  name: "redo-compact",
  help: "bring back the compaction that was taken back last",
  async run(host) {
    const { tokens } = await host.agent.redoCompaction();
    await host.reload();
    host.notice(`The compaction counts again: ${tokensText(tokens)} tokens.`);
  },
};
