import { createLocalConfigFiles, saveSetting } from "@coppice/coding-agent";
import { JsonlRepo, type SessionSummary } from "@coppice/session";
import { CliError } from "../../cli-error.ts";
import { settingWarning } from "../../setting-warning.ts";
import { runUserCommand } from "../../user-command.ts";
import type { RpcHandlers } from "./handler.ts";

/** What the commands about commands, permissions, settings and files do. */
export const SETUP_HANDLERS = {
  async bash({ seat, signal }, { command, isPrivate = false }) {
    const { agent, shell } = seat;
    const message = await runUserCommand(shell, command, { cwd: agent.session.cwd, signal, now: Date.now });
    await agent.addMessage(isPrivate ? { ...message, excludeFromContext: true } : message);
    return message;
  },
  get_commands: async ({ seat: { agent, setup } }) => ({
    commands: agent.commands.map(({ name, description, owner }) => ({ name, description, owner })),
    templates: setup.templates.map(({ name, description }) => ({ name, description })),
    skills: setup.skills.map(({ name, description }) => ({ name, description })),
  }),
  run_command: async ({ seat }, { name, args }) => {
    const said = await seat.agent.runCommand(name, args);
    return said === undefined ? {} : { said };
  },
  async set_permission_mode({ seat }, { mode }) {
    seat.permissions.mode = mode;
    return {};
  },
  async answer_questions({ seat }, { enabled }) {
    seat.questions.isAnswered = enabled;
    return {};
  },
  async answer_question({ seat }, { questionId, answer }) {
    seat.questions.answer(questionId, answer);
    return {};
  },
  get_mcp_servers: async ({ seat: { mcpServers } }) => ({ servers: (await mcpServers?.status()) ?? [] }),
  async restart_mcp_server({ seat: { mcpServers } }, { name }) {
    const status = await mcpServers?.restart(name);
    if (status !== undefined) return status;
    throw new CliError("usage", `There is no MCP server "${name}"`, {
      advice: "get_mcp_servers lists those that there are; `coppice mcp add` adds one.",
    });
  },
  get_settings: async ({ seat: { setup } }) => ({
    settings: setup.settings,
    isProjectTrusted: setup.isTrusted,
  }),
  async set_setting({ seat: { context, known } }, { path, value }) {
    const { settingsFile, userDirectory } = context.places;
    await saveSetting(createLocalConfigFiles(), settingsFile, { path, value });
    const warning = await settingWarning({ path, value, known, userDirectory });
    return warning === undefined ? {} : { warning };
  },
  list_sessions: async ({ seat: { context } }, { all = false }) => ({
    sessions: await sessionsOf(context.places.sessionsDirectory, all ? undefined : context.cwd),
  }),
} as const satisfies Partial<RpcHandlers>;

/** Newest first. */
async function sessionsOf(directory: string, cwd: string | undefined): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for await (const item of new JsonlRepo({ directory }).list(cwd === undefined ? {} : { cwd })) {
    if (!("diagnostic" in item) && (cwd === undefined || item.cwd === cwd)) found.push(item);
  }
  return found.toSorted((a, b) => (a.lastMessageAt < b.lastMessageAt ? 1 : -1));
}
