import type { RpcHandlers } from "./handler.ts";

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
  async edit_context({ seat }, { entryId, content }) {
    await seat.agent.editEntry(entryId, content === null ? "hide" : { content });
    return {};
  },
  get_messages: async ({ seat }) => ({ messages: (await seat.agent.getContext()).messages }),
  pin: ({ seat }, { text }) => seat.agent.pin(text),
  async unpin({ seat }, { pinId }) {
    await seat.agent.unpin(pinId);
    return {};
  },
  pins: async ({ seat }) => ({ pins: await seat.agent.pins() }),
} as const satisfies Partial<RpcHandlers>;
