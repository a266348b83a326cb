import { CoppiceError, type CoppiceErrorOptions, type ErrorTable } from "@coppice/ai";

export type CodingAgentErrorCode =
  | "agent_busy"
  | "agent_disposed"
  | "agent_replaced"
  | "nothing_to_compact"
  | "nothing_to_undo"
  | "nothing_to_redo"
  | "draft_stale"
  | "nothing_to_bring"
  | "nothing_recalled"
  | "compaction_cancelled"
  | "compaction_failed"
  | "invalid_compaction"
  | "context_too_large"
  | "navigation_cancelled"
  | "unknown_entry"
  | "invalid_edit"
  | "unknown_tool"
  | "duplicate_tool"
  | "empty_prompt"
  | "empty_pin"
  | "unknown_pin"
  | "fork_unavailable"
  | "rewind_unavailable"
  | "config_locked"
  | "config_unreadable"
  | "config_unwritable"
  | "file_exists"
  | "invalid_setting"
  | "invalid_key"
  | "login_failed"
  | "write_failed"
  | "unknown_command"
  | "invalid_registration"
  | "name_taken"
  | "invalid_tool_name"
  | "extension_unloaded"
  | "extension_failed"
  | "install_failed";

/** Every way the harness refuses or fails. Exit codes: 1 failure, 2 usage, 4 limits. */
export const CODING_AGENT_ERRORS: ErrorTable<CodingAgentErrorCode> = {
  agent_busy: {
    advice: "Wait until the agent is idle, abort it, or queue the message with steer or followUp.",
    retryable: true,
    exitCode: 1,
  },
  agent_disposed: { advice: "Create a new agent on the session.", retryable: false, exitCode: 2 },
  agent_replaced: { advice: "Use the agent that took its place.", retryable: false, exitCode: 2 },
  nothing_to_compact: {
    advice: "Go on working; compaction helps once there is older history to summarise.",
    retryable: false,
    exitCode: 1,
  },
  nothing_to_undo: { advice: "Compact first.", retryable: false, exitCode: 1 },
  nothing_to_redo: { advice: "Undo a compaction first.", retryable: false, exitCode: 1 },
  nothing_to_bring: { advice: "Pick entries of another branch.", retryable: false, exitCode: 1 },
  nothing_recalled: {
    advice: "Name an entry, or first..last as summaries write it, or try fewer or other words.",
    retryable: false,
    exitCode: 1,
  },
  draft_stale: { advice: "Draft the compaction again.", retryable: false, exitCode: 1 },
  compaction_cancelled: {
    advice: "Try again, or ask the extension that cancelled it.",
    retryable: false,
    exitCode: 1,
  },
  compaction_failed: { advice: "Try again, or pick another model.", retryable: true, exitCode: 1 },
  invalid_compaction: {
    advice: "Correct the extension: it must name a kept entry of this path and a non-empty summary.",
    retryable: false,
    exitCode: 1,
  },
  context_too_large: {
    advice: "Shorten the message or the context files, turn tools off, or pick a model with a larger window.",
    retryable: false,
    exitCode: 4,
  },
  navigation_cancelled: { advice: "Ask the extension that cancelled it.", retryable: false, exitCode: 1 },
  unknown_entry: { advice: "Pick an entry of this session.", retryable: false, exitCode: 2 },
  invalid_edit: {
    advice: "Pick a message, a tool result, or an answer that calls no tools.",
    retryable: false,
    exitCode: 2,
  },
  unknown_tool: { advice: "Pick one of the agent's tools.", retryable: false, exitCode: 2 },
  duplicate_tool: { advice: "Give each tool a name of its own.", retryable: false, exitCode: 2 },
  empty_prompt: { advice: "Write something, or attach an image.", retryable: false, exitCode: 2 },
  empty_pin: { advice: "Write the rule.", retryable: false, exitCode: 2 },
  unknown_pin: { advice: "Pick one of the pinned rules.", retryable: false, exitCode: 2 },
  rewind_unavailable: {
    advice: "Create the agent with a folder for snapshots.",
    retryable: false,
    exitCode: 2,
  },
  fork_unavailable: {
    advice: "Give the agent the repository that its session came from.",
    retryable: false,
    exitCode: 2,
  },
  config_locked: {
    advice: "Try again; if no other process runs, remove the lock.",
    retryable: true,
    exitCode: 1,
  },
  config_unreadable: { advice: "Check the permissions of the file.", retryable: false, exitCode: 2 },
  config_unwritable: {
    advice: "Check the permissions of the file and its folder.",
    retryable: false,
    exitCode: 1,
  },
  file_exists: { advice: "Name another file, or move that one away.", retryable: false, exitCode: 1 },
  invalid_setting: { advice: "Correct the file or the value.", retryable: false, exitCode: 2 },
  invalid_key: { advice: "Store the key again, or set its variable.", retryable: false, exitCode: 3 },
  login_failed: { advice: "Log in again.", retryable: true, exitCode: 3 },
  write_failed: {
    advice: "Check the disk and the permissions of the session folder; unsaved entries are kept and retried.",
    retryable: true,
    exitCode: 1,
  },
  unknown_command: { advice: "Pick one of the commands.", retryable: false, exitCode: 2 },
  invalid_registration: { advice: "Correct what the extension registers.", retryable: false, exitCode: 1 },
  name_taken: { advice: "Give it a name of its own.", retryable: false, exitCode: 1 },
  invalid_tool_name: { advice: "Give the tool another name.", retryable: false, exitCode: 1 },
  extension_unloaded: {
    advice: "Use the handle that the extension got when it was set up last.",
    retryable: false,
    exitCode: 1,
  },
  install_failed: { advice: "Correct what is named, and try again.", retryable: true, exitCode: 1 },
  extension_failed: { advice: "Fix or remove the extension.", retryable: false, exitCode: 1 },
};

/** A refusal or failure of the harness itself; failures of a model are in the last assistant message. */
export class CodingAgentError extends CoppiceError<CodingAgentErrorCode> {
  override readonly name = "CodingAgentError";

  constructor(options: CoppiceErrorOptions<CodingAgentErrorCode>) {
    super(CODING_AGENT_ERRORS, options);
  }
}

/** The text to show for anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
