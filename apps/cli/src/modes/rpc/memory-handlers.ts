import type { BringRequest, EntryEdit } from "@coppice/coding-agent";
import { CliError } from "../../cli-error.ts";
import type { RpcHandlers } from "./handler.ts";
import type { RpcParams } from "./protocol.ts";

/** What the commands about the context and its compactions do. */
export const MEMORY_HANDLERS = {
  compact: ({ seat }, { instructions, draftId, summary }) =>
    seat.agent.compact({
      ...(instructions === undefined ? {} : { instructions }),
      ...(draftId === undefined
        ? {}
        : { draft: { id: draftId, ...(summary === undefined ? {} : { summary }) } }),
    }),
  preview_compaction: ({ seat }) => seat.agent.previewCompaction(),
  draft_compaction: ({ seat }, params) => seat.agent.draftCompaction(params),
  undo_compaction: ({ seat }) => seat.agent.undoCompaction(),
  redo_compaction: ({ seat }) => seat.agent.redoCompaction(),
  get_context_usage: ({ seat }) => seat.agent.getContextUsage(),
  inspect_context: ({ seat }) => seat.agent.inspectContext(),
  preview_request: ({ seat }, { message: text, images }) =>
    seat.agent.previewRequest({
      ...(text === undefined ? {} : { text }),
      ...(images === undefined ? {} : { images }),
    }),
  async edit_context({ seat }, { entryId, ...how }) {
    await seat.agent.editEntry(entryId, editOf(how));
    return {};
  },
  get_messages: async ({ seat }) => ({ messages: (await seat.agent.getContext()).messages }),
  pin: ({ seat }, { text }) => seat.agent.pin(text),
  async unpin({ seat }, { pinId }) {
    await seat.agent.unpin(pinId);
    return {};
  },
  pins: async ({ seat }) => ({ pins: await seat.agent.pins() }),
  async recall({ seat }, { handle, query, budgetTokens }) {
    const budget = budgetTokens === undefined ? {} : { budgetTokens };
    if (handle !== undefined && query === undefined) return seat.agent.recall({ handle, ...budget });
    if (query !== undefined && handle === undefined) return seat.agent.recall({ query, ...budget });
    throw exactlyOne("recall", "handle", "query");
  },
  bring_entries: async ({ seat }, params) => seat.agent.bringEntries(bringRequestOf(params)),
} as const satisfies Partial<RpcHandlers>;

function editOf({ content, edit }: Omit<RpcParams<"edit_context">, "entryId">): EntryEdit {
  if (content === undefined && edit !== undefined) return edit;
  if (edit === undefined && content !== undefined) return content === null ? "hide" : { content };
  throw exactlyOne("edit_context", "content", "edit");
}

function bringRequestOf(params: RpcParams<"bring_entries">): BringRequest {
  const { entryIds, branchOf, instructions } = params;
  if (branchOf !== undefined && entryIds === undefined)
    return { branchOf, ...(instructions === undefined ? {} : { instructions }) };
  if (entryIds === undefined || branchOf !== undefined)
    throw exactlyOne("bring_entries", "entryIds", "branchOf");
  if (instructions === undefined) return { entryIds };
  throw new CliError("usage", 'In bring_entries, "instructions" goes with "branchOf" only', {
    advice: "They are for the summary of a branch; entries come word for word.",
  });
}

/** Of parameters that exclude one another one is needed, which their fields alone cannot say. */
function exactlyOne(command: string, a: string, b: string): CliError {
  return new CliError("usage", `${command} takes either "${a}" or "${b}"`, { advice: "Give one of them." });
}
