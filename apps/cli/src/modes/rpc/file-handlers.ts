import { resolve } from "node:path";
import { redactSessionFile, restoreSessionFile } from "@coppice/coding-agent";
import { exportOpenSession, storedPathOf } from "../../export/export-open-session.ts";
import { redactionsDirectory } from "../../export/redactions-directory.ts";
import { sessionFileName } from "../../export/session-file-name.ts";
import type { RpcHandlers } from "./handler.ts";

/** What the commands about copies of the session do. */
export const FILE_HANDLERS = {
  async export({ seat: { agent, context } }, { file, isRedacted }) {
    const { path, redactedSecrets } = await exportOpenSession({
      ...{ session: agent.session, cwd: context.cwd, file, isRedacted },
      ...{ sessionsDirectory: context.places.sessionsDirectory, usualEnding: "html" },
      exportedAt: new Date().toISOString(),
    });
    return { path, redactedSecrets };
  },
  async redact({ seat: { agent, context } }, { file }) {
    const { session } = agent;
    const source = storedPathOf(session);
    const target = resolve(context.cwd, file ?? sessionFileName(session.id, "redacted.jsonl"));
    const directory = redactionsDirectory(context.places);
    const { redactedSecrets } = await redactSessionFile({ source, target, directory });
    return { path: target, redactedSecrets };
  },
  async restore_secrets({ seat: { context } }, { file, target }) {
    const source = resolve(context.cwd, file);
    const path = resolve(context.cwd, target ?? `${source}.restored`);
    const directory = redactionsDirectory(context.places);
    return { path, ...(await restoreSessionFile({ source, target: path, directory })) };
  },
} as const satisfies Partial<RpcHandlers>;
