import { modelName } from "@coppice/ai";
import { type EntryEditKind, possibleEdits } from "@coppice/coding-agent";
import type { AnyEntry } from "@coppice/session";
import type { ContextRow } from "../context/context-rows.ts";
import {
  type ContextLook,
  ContextView,
  type ContextWish,
  FIRST_CONTEXT_LOOK,
} from "../context/context-view.ts";
import { TextPages } from "../views/text-pages.ts";
import type { CommandHost, SlashCommand } from "./command.ts";

type Action = EntryEditKind | "pin" | "show";

const EDIT_LABELS: Readonly<Record<EntryEditKind, string>> = {
  hide: "Hide it from the model",
  shorten: "Shorten it: both ends stay",
  restore: "Send it whole again",
};

export const contextCommand: SlashCommand = {
  name: "context",
  help: "what the model sees, entry by entry: pin, hide, shorten, restore, and the exact next request",
  async run(host) {
    for (let look: ContextLook = FIRST_CONTEXT_LOOK; ; ) {
      const { session } = host.agent;
      const [inspection, size, all] = await Promise.all([
        host.agent.inspectContext(),
        host.agent.getContextUsage(),
        session.getEntries(),
      ]);
      const entries = new Map(all.map((entry) => [entry.id, entry]));
      const wish = await host.open<ContextWish>(
        (onDone) => new ContextView({ inspection, size, entries, look, paint: host.paint, onDone }),
      );
      if (wish === undefined) return;
      look = wish.look;
      if (wish.kind === "request") await showRequest(host);
      else await choose(host, wish.row, entries.get(wish.row.entryId));
    }
  },
};

async function showRequest(host: CommandHost): Promise<void> {
  const { request, compactsFirst } = await host.agent.previewRequest();
  const text = JSON.stringify({ ...request, model: modelName(request.model) }, null, 2);
  const title = `The next request as it would leave, before what you type${compactsFirst ? "; it compacts first" : ""}`;
  await host.open<undefined>((onDone) => new TextPages({ title, text, paint: host.paint, onDone }));
}

async function choose(host: CommandHost, row: ContextRow, entry: AnyEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const onBranch = row.state === "in" || row.state === "shortened" || row.state === "hidden";
  const edits = onBranch ? possibleEdits(entry, row.state !== "in") : [];
  const action = await host.pick({
    title: [row.reason],
    choices: [
      ...edits.map((kind) => ({ value: kind, label: EDIT_LABELS[kind] })),
      { value: "pin", label: "Pin a rule from it", description: "every summary keeps it word for word" },
      { value: "show", label: "Show the whole text" },
    ],
  });
  if (action !== undefined) await act(host, row, action as Action);
}

async function act(host: CommandHost, row: ContextRow, action: Action): Promise<void> {
  if (action === "show") {
    const title = `${row.role ?? row.type} ${row.entryId}`;
    await host.open<undefined>(
      (onDone) => new TextPages({ title, text: row.text, paint: host.paint, onDone }),
    );
    return;
  }
  if (action === "pin") {
    const rule = await host.input({ title: ["The rule, word for word"], text: row.text.slice(0, 500) });
    if (rule !== undefined && rule.trim() !== "") await host.agent.pin(rule);
    return;
  }
  await host.agent.editEntry(row.entryId, action);
  await host.reload();
}
