import type { SystemMessage } from "@coppice/ai";
import { foldSystemMessages, type Session } from "@coppice/session";
import { SessionManager } from "@earendil-works/pi-coding-agent";

/** What both programs say of a session: where it stands, what the model sees, how it goes on. */
export interface SessionView {
  readonly messages: readonly unknown[];
  /** All system messages folded into one. */
  readonly systemMessage: SystemMessage | undefined;
  readonly model: { readonly provider: string; readonly modelId: string } | undefined;
  readonly thinkingLevel: string;
  /** Ids from the root to the position, without `leaf`, `label`, `session_info` and `usage` entries. */
  readonly path: readonly string[];
  readonly name: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

const NOT_ON_THE_PATH: ReadonlySet<string> = new Set(["leaf", "label", "session_info", "usage"]);

interface PathEntry {
  readonly id: string;
  readonly type: string;
}

function pathIds(path: readonly PathEntry[]): readonly string[] {
  return path.filter(({ type }) => !NOT_ON_THE_PATH.has(type)).map(({ id }) => id);
}

/** Pi's view of a file. It may write to the file: a final line end, a migration. */
export function piView(path: string): SessionView {
  return viewOf(SessionManager.open(path));
}

/** The view of a session that pi has open. */
export function viewOf(pi: SessionManager): SessionView {
  const { messages, thinkingLevel, model } = pi.buildSessionContext();
  const system = messages.filter((message): message is typeof message & SystemMessage => isSystem(message));
  return {
    messages: plain(messages.filter((message) => !isSystem(message))),
    systemMessage: plain(system.reduce<SystemMessage | undefined>(foldSystemMessages, undefined)),
    model: model ?? undefined,
    thinkingLevel,
    path: pathIds(pi.getBranch() as readonly PathEntry[]),
    name: pi.getSessionName(),
    labels: labelsOf(pi.getEntries(), (id) => pi.getLabel(id)),
  };
}

/** Our view of an open session. */
export async function coppiceView(session: Session): Promise<SessionView> {
  const { messages, systemMessage, model, thinkingLevel } = await session.buildContext();
  const entries = await session.getEntries();
  const labels = new Map<string, string | undefined>();
  for (const { id } of entries) labels.set(id, await session.getLabel(id));
  return {
    messages: plain(messages),
    systemMessage: plain(systemMessage),
    model,
    thinkingLevel: thinkingLevel ?? "off",
    path: pathIds(await session.getBranch()),
    name: await session.getName(),
    labels: labelsOf(entries, (id) => labels.get(id)),
  };
}

function isSystem(message: { readonly role: string }): boolean {
  return message.role === "system";
}

function labelsOf(
  entries: readonly PathEntry[],
  labelOf: (id: string) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.flatMap(({ id }) => {
      const label = labelOf(id);
      return label === undefined ? [] : [[id, label]];
    }),
  );
}

/** As JSON keeps it: without undefined fields. */
function plain<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}
