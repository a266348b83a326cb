import type { AgentMessage } from "@coppice/agent";
import { type AnyEntry, isEntry, type SessionEntry } from "./entry.ts";
import type { EntryProjector, EntryProjectors } from "./entry-messages.ts";
import type { EntryDraft } from "./entry-stage.ts";
import { SessionError } from "./errors.ts";

/** An extension's own kind of entry, stored as `custom`. */
export interface EntryDefinition<Data> {
  readonly customType: string;
  /** The data of an entry of this kind; undefined for other kinds and for data that is not of this shape. */
  readonly read: (entry: AnyEntry) => Data | undefined;
  /** What `appendBatch` takes. */
  readonly draft: (data: Data) => EntryDraft;
  /** Absent for kinds that the model does not see. */
  readonly project?: EntryProjector;
}

/**
 * Declares an extension's own kind of entry.
 *
 * `parse` returns undefined (or throws) for data that is not of this shape, as other versions may have left it: such
 * entries are kept and give no messages.
 */
export function defineEntry<Data>(kind: {
  readonly customType: string;
  readonly parse: (data: unknown) => Data | undefined;
  /** What the model sees of it. */
  readonly toMessages?: (data: Data, entry: SessionEntry<"custom">) => readonly AgentMessage[];
}): EntryDefinition<Data> {
  const { customType, parse, toMessages } = kind;
  const read = (entry: AnyEntry): Data | undefined => {
    if (!isEntry(entry, "custom") || entry.customType !== customType) return undefined;
    try {
      return parse(entry.data);
    } catch {
      return undefined;
    }
  };
  const project = (entry: SessionEntry<"custom">): readonly AgentMessage[] => {
    const data = read(entry);
    return data === undefined ? [] : (toMessages?.(data, entry) ?? []);
  };
  return {
    customType,
    read,
    draft: (data) => ({ type: "custom", customType, data }),
    ...(toMessages === undefined ? {} : { project }),
  };
}

/** The projectors of several kinds, for a repository or a context. Rejects two kinds of one name. */
export function projectorsOf(
  definitions: readonly Pick<EntryDefinition<unknown>, "customType" | "project">[],
): EntryProjectors {
  const projectors = new Map<string, EntryProjector | undefined>();
  for (const { customType, project } of definitions) {
    if (projectors.has(customType)) {
      throw new SessionError({
        code: "invalid_entry",
        message: `Two kinds of entries are called "${customType}".`,
      });
    }
    projectors.set(customType, project);
  }
  return Object.fromEntries(
    [...projectors].flatMap(([type, project]) => (project === undefined ? [] : [[type, project]])),
  );
}
