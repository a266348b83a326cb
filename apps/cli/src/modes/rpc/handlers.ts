import { setImmediate as nextTick } from "node:timers/promises";
import type { AgentMessage } from "@coppice/agent";
import { modelName } from "@coppice/ai";
import type { AgentHarness } from "@coppice/coding-agent";
import { SessionError } from "@coppice/session";
import type { AgentSeat } from "./agent-seat.ts";
import { FILE_HANDLERS } from "./file-handlers.ts";
import type { RpcHandlers, RpcHost } from "./handler.ts";
import { LOGIN_HANDLERS } from "./login-handlers.ts";
import { MEMORY_HANDLERS } from "./memory-handlers.ts";
import type { RpcMoved, RpcState, RpcTreeEntry } from "./protocol.ts";
import { SETUP_HANDLERS } from "./setup-handlers.ts";

/** What each command does. */
export const RPC_HANDLERS: RpcHandlers = {
  async prompt({ seat, report }, { message, images = [] }) {
    await started(seat.agent.prompt(message, { images }), report);
    return {};
  },
  async steer({ seat }, { message, images = [] }) {
    seat.agent.steer(message, { images });
    return {};
  },
  async follow_up({ seat }, { message, images = [] }) {
    seat.agent.followUp(message, { images });
    return {};
  },
  async abort({ seat }) {
    await seat.agent.abort();
    return {};
  },
  clear_queue: async ({ seat }) => ({ messages: seat.agent.clearQueue() }),

  ...MEMORY_HANDLERS,
  ...SETUP_HANDLERS,
  ...FILE_HANDLERS,
  ...LOGIN_HANDLERS,

  async navigate({ seat }, { entryId, ...options }) {
    return seat.agent.navigate(entryId, options);
  },
  preview_files: ({ seat }, { entryId }) => seat.agent.previewFiles(entryId),
  restore_files: ({ seat }, { entryId }) => seat.agent.restoreFiles(entryId),
  get_tree: async ({ seat }) => ({
    leafId: seat.agent.session.getLeafId(),
    entries: await treeEntries(seat.agent),
  }),
  get_entries: async ({ seat }, { since }) => ({
    leafId: seat.agent.session.getLeafId(),
    entries: await entriesSince(seat.agent, since),
  }),
  async label({ seat }, { entryId, label }) {
    await seat.agent.session.appendLabel(entryId, label);
    return {};
  },

  get_state: ({ seat }) => stateOf(seat),
  get_stats: ({ seat }) => seat.agent.getStats(),
  async set_session_name({ seat }, { name }) {
    await seat.agent.session.appendSessionName(name);
    return {};
  },
  async new_session({ seat }) {
    return movedTo(seat, await seat.moveTo({ kind: "new" }));
  },
  async switch_session({ seat }, { session }) {
    return movedTo(seat, await seat.moveTo({ kind: "stored", ref: session }));
  },
  async fork({ seat }, params) {
    const { session, editorText } = await seat.agent.fork(params);
    const moved = await movedTo(seat, await seat.moveTo({ kind: "fork", session }));
    return { ...moved, ...(editorText === undefined ? {} : { editorText }) };
  },

  async reload({ seat }) {
    const { queued, notices } = await seat.reload();
    return { ...(await movedTo(seat, queued)), notices };
  },

  get_models: async ({ seat: { known } }) => ({
    models: (await known.list()).map((model) => ({ ...model, isUsable: known.isUsable(model) })),
  }),
  async set_model({ seat }, { model: pattern }) {
    await seat.useModel(pattern);
    const { model, thinkingLevel } = seat.agent;
    return { model: modelName(model), thinkingLevel };
  },
  async set_thinking_level({ seat }, { level }) {
    await seat.agent.setThinkingLevel(level);
    return {};
  },
  async set_active_tools({ seat }, { names }) {
    await seat.agent.setActiveTools(names);
    return {};
  },
};

/** How the agent stands. */
export async function stateOf({ agent, permissions }: AgentSeat): Promise<RpcState> {
  const { session, model, thinkingLevel, tools, isBusy } = agent;
  const name = await session.getName();
  return {
    sessionId: session.id,
    ...(session.path === undefined ? {} : { sessionPath: session.path }),
    ...(name === undefined ? {} : { sessionName: name }),
    cwd: session.cwd,
    leafId: session.getLeafId(),
    ...{ model: modelName(model), thinkingLevel, tools, isBusy, permissionMode: permissions.mode },
  };
}

/** Where the agent is now; `queued` are messages of the session that was left, which are not sent. */
async function movedTo(seat: AgentSeat, queued: readonly AgentMessage[]): Promise<RpcMoved> {
  return { ...(await stateOf(seat)), ...(queued.length === 0 ? {} : { queued }) };
}

/** A prompt that is refused rejects at once; one that fails later is reported. */
async function started(run: Promise<void>, report: RpcHost["report"]): Promise<void> {
  let isAnswered = false;
  run.catch((error: unknown) => {
    if (isAnswered) report(error);
  });
  await Promise.race([run, nextTick()]);
  isAnswered = true;
}

/** Flat: a conversation is as deep as it is long, and JSON that deep can be read by few. */
async function treeEntries({ session }: AgentHarness): Promise<readonly RpcTreeEntry[]> {
  const entries: RpcTreeEntry[] = [];
  const open = [...(await session.getOutline())].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { id, parentId, type } = node.entry;
    entries.push({ id, parentId, type, ...(node.label === undefined ? {} : { label: node.label }) });
    open.push(...[...node.children].reverse());
  }
  return entries;
}

/** In the order of writing. */
async function entriesSince({ session }: AgentHarness, since: string | undefined) {
  const entries = await session.getEntries();
  if (since === undefined) return entries;
  const index = entries.findIndex(({ id }) => id === since);
  if (index === -1) throw new SessionError({ code: "unknown_entry", message: `There is no entry ${since}.` });
  return entries.slice(index + 1);
}
