import { type AnyEntry, MemoryRepo, type Session } from "@coppice/session";
import type { Component } from "@earendil-works/pi-tui";
import { ContextView, FIRST_CONTEXT_LOOK } from "../context/context-view.ts";
import { createPaint } from "../theme.ts";
import { FIRST_LOOK, TreeView } from "../tree/tree-view.ts";
import { Picker } from "../views/picker.ts";

/** A view that lists texts to choose from. */
export interface ChoosingView {
  readonly view: Component & { handleInput(data: string): void };
  /** The text of the marked row; undefined when nothing is marked. */
  readonly marked: () => string | undefined;
  /** Texts that were chosen; undefined for leaving. */
  readonly answers: readonly (string | undefined)[];
}

const paint = createPaint(true);

async function sessionOf(texts: readonly string[]): Promise<Session> {
  const session = await new MemoryRepo().create({ cwd: "/x" });
  for (const content of texts) await session.appendMessage({ role: "user", content, timestamp: 0 });
  return session;
}

type Make = (
  texts: readonly string[],
  onDone: (text: string | undefined) => void,
) => Promise<ChoosingView["view"]>;

/** The text that an entry is of, as it was given. */
const textOf = (entries: readonly AnyEntry[], texts: readonly string[], id: string | undefined) =>
  texts[entries.findIndex((entry) => entry.id === id)];

const MAKERS: Readonly<Record<string, Make>> = {
  Picker: async (texts, onDone) =>
    new Picker({
      ...{ title: [], choices: texts.map((text) => ({ value: text, label: text })), paint, onDone },
    }),
  TreeView: async (texts, onDone) => {
    const session = await sessionOf(texts);
    const entries = await session.getEntries();
    return new TreeView({
      ...{ roots: await session.getTree(), leafId: session.getLeafId(), look: FIRST_LOOK, title: "Tree" },
      ...{ paint, now: () => 0, onDone: (wish) => onDone(textOf(entries, texts, wish?.entryId)) },
    });
  },
  ContextView: async (texts, onDone) => {
    const entries = await (await sessionOf(texts)).getEntries();
    const inspected = entries.map(({ id, type }) => ({
      ...{ entryId: id, type, role: "user", state: "in" as const, reason: "", tokens: 1, costUsd: 0 },
    }));
    return new ContextView({
      inspection: { tokens: 1, isEstimate: false, sources: [], entries: inspected },
      ...{ size: { contextWindow: 10, triggerTokens: 9 }, look: FIRST_CONTEXT_LOOK, paint },
      entries: new Map(entries.map((entry) => [entry.id, entry])),
      onDone: (wish) =>
        onDone(wish?.kind === "choose" ? textOf(entries, texts, wish.row.entryId) : undefined),
    });
  },
};

/** Every view of the application in which a row is chosen; `/model`, `/resume`, `/settings` and `/login` are pickers. */
export const CHOOSING_VIEWS = Object.keys(MAKERS);

/** One of them, listing these texts in this order. */
export async function createChoosingView(name: string, texts: readonly string[]): Promise<ChoosingView> {
  const answers: (string | undefined)[] = [];
  const view = await MAKERS[name]?.(texts, (text) => answers.push(text));
  if (view === undefined) throw new Error(`There is no view ${name}.`);
  const marked = () => {
    const line = view.render(200).find((one) => one.includes("→"));
    return texts.find((text) => line?.includes(text));
  };
  return { view, marked, answers };
}
