import { CoppiceError, type CoppiceErrorOptions, type ErrorTable } from "@coppice/ai";

/** Every way in which a session can fail, with what a person can do about it. */
export const SESSION_ERRORS = {
  corrupt_line: {
    advice: "The rest of the session still loads; the line stays in the file as it is.",
    retryable: false,
    exitCode: 1,
  },
  not_a_session: {
    advice: "Name a session file or id; the file was left as it is.",
    retryable: false,
    exitCode: 2,
  },
  version_too_new: {
    advice: "Update Coppice, or open the session read-only.",
    retryable: false,
    exitCode: 2,
  },
  unknown_entry: { advice: "Use the id of an entry of this session.", retryable: false, exitCode: 2 },
  invalid_entry: {
    advice: "Correct the fields of the entry; nothing was written.",
    retryable: false,
    exitCode: 1,
  },
  read_only: { advice: "Open the session for writing, or fork it.", retryable: false, exitCode: 1 },
  closed: { advice: "Open the session again.", retryable: false, exitCode: 1 },
  locked: {
    advice: "Close the other process, or fork the session and continue in the copy.",
    retryable: true,
    exitCode: 2,
  },
  changed: {
    advice: "Another program wrote to the session; open it again.",
    retryable: false,
    exitCode: 1,
  },
  exists: { advice: "Choose another id or open the session that is there.", retryable: false, exitCode: 1 },
  not_found: {
    advice: "List the sessions and use a path, an id or the start of one.",
    retryable: false,
    exitCode: 2,
  },
  ambiguous: { advice: "Use more characters of the id.", retryable: false, exitCode: 2 },
  other_session: {
    advice: "Merge only copies of one session; their headers have the same id.",
    retryable: false,
    exitCode: 2,
  },
  io: {
    advice: "Check free space and permissions; nothing of the failed write was kept.",
    retryable: true,
    exitCode: 1,
  },
} as const satisfies ErrorTable;

export type SessionErrorCode = keyof typeof SESSION_ERRORS;

/** An error of this package. `data` holds `path`, `line` (from 1) and `byteOffset` where they apply. */
export class SessionError extends CoppiceError<SessionErrorCode> {
  override readonly name = "SessionError";

  constructor(options: CoppiceErrorOptions<SessionErrorCode>) {
    super(SESSION_ERRORS, options);
  }
}

/** True for a `SessionError`, with the given code if one is given. */
export function isSessionError(value: unknown, code?: SessionErrorCode): value is SessionError {
  return value instanceof SessionError && (code === undefined || value.code === code);
}

/** What the operating system said, as a `SessionError`; a `SessionError` passes through. */
export function ioError(action: string, path: string, cause: unknown): SessionError {
  if (cause instanceof SessionError) return cause;
  const reason = cause instanceof Error ? withoutPath(cause.message) : String(cause);
  return new SessionError({ code: "io", message: `${action} ${path}: ${reason}`, cause, data: { path } });
}

/** Node ends its messages with the call and its path, which the message of ours names already. */
function withoutPath(message: string): string {
  return message.replace(/, \w+ '[^']*'(?: -> '[^']*')?$/, "");
}
