import { type AnyEntry, entryText } from "@coppice/session";
import { kindOf } from "../tree/tree-row.ts";
import { FIRST_LOOK, type TreeLook, TreeView, type TreeWish } from "../tree/tree-view.ts";
import type { CommandHost, SlashCommand } from "./command.ts";
import { forkAt } from "./fork-at.ts";

type Action = "move" | "files" | "summary" | "focus" | "fork" | "show";

export const treeCommand: SlashCommand = {
  name: "tree",
  help: "the session as a tree: go back, branch, label, fork; nothing is lost",
  async run(host) {
    for (let look: TreeLook = FIRST_LOOK; ; ) {
      const wish = await wishedFor(host, look, "Tree");
      if (wish === undefined) return;
      look = wish.look;
      const isDone = wish.kind === "label" ? await label(host, wish) : await choose(host, wish.entryId);
      if (isDone) return;
    }
  },
};

/** Shows the tree until an entry is chosen or labelled. */
export async function wishedFor(
  host: CommandHost,
  look: TreeLook,
  title: string,
): Promise<TreeWish | undefined> {
  const { session } = host.agent;
  const [roots, leafId] = [await session.getTree(), session.getLeafId()];
  if (roots.length === 0) {
    host.notice("The session is empty.");
    return undefined;
  }
  return host.open<TreeWish>(
    (onDone) => new TreeView({ ...{ roots, leafId, look, title, onDone }, paint: host.paint, now: Date.now }),
  );
}

/** True when the tree is not to be shown again. */
async function label(host: CommandHost, { entryId, label: current = "" }: TreeWish): Promise<boolean> {
  const text = await host.input({ title: ["Label; empty takes it away"], text: current });
  if (text !== undefined)
    await host.agent.session.appendLabel(entryId, text.trim() === "" ? undefined : text.trim());
  return false;
}

async function choose(host: CommandHost, entryId: string): Promise<boolean> {
  const entry = await host.agent.session.getEntry(entryId);
  if (entry === undefined) return false;
  const action = await host.pick({
    title: ["The part that is left stays in the session"],
    choices: choicesFor(entry),
  });
  if (action === undefined) return false;
  await act(host, entry, action as Action);
  return true;
}

function choicesFor(
  entry: AnyEntry,
): { readonly value: Action; readonly label: string; readonly description?: string }[] {
  const back = kindOf(entry) === "user" ? { description: "your message comes back for editing" } : {};
  return [
    { value: "move", label: "Move there", ...back },
    { value: "files", label: "Move there, and put the files back that the agent changed since" },
    { value: "summary", label: "Move there, and tell the model what happened in the part that is left" },
    { value: "focus", label: "The same, with what matters in it" },
    { value: "fork", label: "Go on from there in a copy of the session" },
    { value: "show", label: "Show the whole text" },
  ];
}

async function act(host: CommandHost, entry: AnyEntry, action: Action): Promise<void> {
  const { agent } = host;
  if (action === "show") return host.notice(entryText(entry));
  if (action === "fork") return forkAt(host, entry.id);
  const instructions =
    action === "focus" ? await host.input({ title: ["What matters in the part that is left"] }) : undefined;
  if (action === "focus" && instructions === undefined) return;
  const move = agent.navigate(entry.id, {
    summarize: action === "summary" || action === "focus",
    restoreFiles: action === "files",
    ...(instructions === undefined || instructions.trim() === "" ? {} : { instructions }),
  });
  const { editorText } = await host.working("Leaving the branch", move);
  await host.reload();
  if (editorText !== undefined) host.prependToEditor(editorText);
}
