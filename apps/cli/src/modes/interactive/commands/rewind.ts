import { relative } from "node:path";
import type { RestoreOutcome } from "@coppice/coding-agent";
import { inertLine } from "../../../render/terminal-text.ts";
import { FIRST_LOOK } from "../tree/tree-view.ts";
import type { CommandHost, SlashCommand } from "./command.ts";
import { wishedFor } from "./tree.ts";

export const rewindCommand: SlashCommand = {
  name: "rewind",
  help: "put the files that the agent changed back to an earlier state; the conversation stays (/tree moves both)",
  async run(host) {
    const wish = await wishedFor(host, FIRST_LOOK, "Files as they were at");
    if (wish === undefined) return;
    const outlook = await host.agent.previewFiles(wish.entryId);
    if (outlook.restored.length + outlook.removed.length === 0) {
      host.notice(
        ["No file is other than it was there by the agent's doing.", ...keptLines(outlook, host)].join("\n"),
      );
      return;
    }
    const choice = await host.pick({
      title: [...outcomeLines(outlook, host), ""],
      choices: [{ value: "restore", label: "Put these files back" }],
    });
    if (choice === undefined) return;
    const outcome = await host.agent.restoreFiles(wish.entryId);
    await host.reload();
    const changed = outcome.restored.length + outcome.removed.length;
    host.notice(
      [`${changed} ${changed === 1 ? "file is" : "files are"} put back.`, ...keptLines(outcome, host)].join(
        "\n",
      ),
    );
  },
};

const MOST_LINES = 12;
const MAX_PATH_CHARACTERS = 200;

/** What would happen to which file, and what stays as it is. */
export function outcomeLines(outcome: RestoreOutcome, host: Pick<CommandHost, "agent">): readonly string[] {
  const lines = [
    ...outcome.restored.map((path) => `  restore  ${shown(path, host)}`),
    ...outcome.removed.map((path) => removedLine(path, outcome, host)),
  ];
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...setAsideLines(outcome),
    ...keptLines(outcome, host),
  ];
}

function removedLine(path: string, { setAside }: RestoreOutcome, host: Pick<CommandHost, "agent">): string {
  const isMoved = setAside?.paths.includes(path) ?? false;
  return isMoved
    ? `  move     ${shown(path, host)} (came during a command; yours, perhaps)`
    : `  remove   ${shown(path, host)} (did not exist then)`;
}

function setAsideLines({ setAside }: RestoreOutcome): readonly string[] {
  return setAside === undefined ? [] : [`  moved to ${inertLine(setAside.directory, MAX_PATH_CHARACTERS)}`];
}

function keptLines({ kept }: RestoreOutcome, host: Pick<CommandHost, "agent">): readonly string[] {
  return kept.slice(0, MOST_LINES).map(({ path, reason }) => `  stays    ${shown(path, host)} (${reason})`);
}

/** A file name is not ours: it may hold anything. */
function shown(path: string, { agent }: Pick<CommandHost, "agent">): string {
  const below = relative(agent.session.header.cwd, path);
  return inertLine(below.startsWith("..") ? path : below, MAX_PATH_CHARACTERS);
}
