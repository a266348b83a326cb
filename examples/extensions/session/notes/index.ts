import type { Extension } from "@coppice/coding-agent";

const KIND = "example.note";

/**
 * `/note text` keeps a note of the user's in the session, on the branch where it was made.
 *
 * It is an entry of a kind of its own; the projector says what the model sees of it. Without this extension the entry
 * stays in the file and nothing of it reaches the model.
 */
const notes: Extension = {
  name: "notes",
  setup(api) {
    api.registerEntryKind(KIND, ({ data }) => {
      const text = textIn(data);
      return text === undefined
        ? []
        : [{ role: "user", content: [{ type: "text", text: `[Note of the user] ${text}` }], timestamp: 0 }];
    });
    api.registerCommand("note", {
      description: "Keeps a note in the session.",
      argumentHint: "<text>",
      async handler(text) {
        if (text === "") return "Write the note behind the command.";
        await api.appendEntry(KIND, { text });
        return "Noted.";
      },
    });
  },
};

/** Session files come from anywhere: data is checked before it is used. */
function textIn(data: unknown): string | undefined {
  const { text } = (typeof data === "object" && data !== null ? data : {}) as { readonly text?: unknown };
  return typeof text === "string" ? text : undefined;
}

export default notes;
