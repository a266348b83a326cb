import { button, element } from "./dom.ts";
import { entryElement } from "./entry-element.ts";
import { setFolded } from "./folded.ts";
import type { CallResults, PageModel } from "./page-model.ts";

/** Entries that are drawn before the page is shown for the first time. */
const FIRST_PORTION = 60;
/** Later portions double up to this: each costs a layout of everything, and none may hold up the page for long. */
const MAX_PORTION = 1000;

export interface Conversation {
  readonly holder: HTMLElement;
  /** The end of the branch that is shown. */
  readonly leaf: number;
  /** Root → leaf. */
  readonly path: readonly number[];
  /** Shows the branch that ends at `leaf`, from its beginning. */
  show(leaf: number): void;
  /** Draws what is needed and gives the element of an entry on this branch: its own, or the card that it stands in. */
  reveal(place: number): HTMLElement | undefined;
  /** The entry that an element belongs to. */
  placeOf(target: Node): number | undefined;
  setAllFolded(isOpen: boolean): void;
}

export interface ConversationOptions {
  readonly model: PageModel;
  /** Runs later, when the browser has nothing better to do. */
  readonly later: (task: () => void) => void;
  /** Somebody chose another way at a fork. */
  readonly onBranch: (leaf: number, place: number) => void;
  readonly onDrawn: () => void;
}

/** The column of entries of one branch, drawn in portions. */
export function createConversation(options: ConversationOptions): Conversation {
  const { model, later, onDrawn } = options;
  const holder = element("div", { class: "entries" });
  const drawn = new Map<number, HTMLElement>();
  const places = new WeakMap<Node, number>();
  let path: readonly number[] = [];
  let leaf = -1;
  let next = 0;
  let results: CallResults = { byCall: new Map(), inCards: new Set() };
  let forgotten: (index: number) => boolean = () => false;
  let areFoldsOpen: boolean | undefined;
  let generation = 0;

  function drawUpTo(end: number): void {
    const part = document.createDocumentFragment();
    for (; next < Math.min(end, path.length); next++) {
      const place = path[next];
      if (place === undefined || results.inCards.has(place)) continue;
      const drawnEntry = draw(place, next);
      if (drawnEntry === undefined) continue;
      if (areFoldsOpen !== undefined) foldAll(drawnEntry, areFoldsOpen);
      drawn.set(place, drawnEntry);
      places.set(drawnEntry, place);
      part.appendChild(drawnEntry);
    }
    holder.appendChild(part);
    if (next >= path.length) onDrawn();
  }

  function draw(place: number, index: number): HTMLElement | undefined {
    const entry = model.entry(place);
    if (entry === undefined) return undefined;
    return entryElement({
      entry,
      siblings: siblingButtons(options, place),
      isForgotten: forgotten(index),
      resultOf(callId) {
        const result = model.entry(results.byCall.get(callId) ?? -1);
        return result?.view.kind === "result" ? { id: result.id, view: result.view } : undefined;
      },
    });
  }

  function goOn(own: number, portion: number): void {
    if (own !== generation || next >= path.length) return;
    drawUpTo(next + portion);
    later(() => goOn(own, Math.min(MAX_PORTION, portion * 2)));
  }

  /** A result stands in the card of its call, which an entry before it holds. */
  function holderOf(place: number): number {
    if (!results.inCards.has(place)) return place;
    const index = path.indexOf(place);
    const view = model.entry(place)?.view;
    const callId = view?.kind === "result" ? view.callId : "";
    for (let at = index; at >= 0; at--) {
      const before = model.entry(path[at] ?? -1)?.view;
      if (before?.kind !== "answer") continue;
      if (before.parts.some((part) => part.type === "call" && part.callId === callId))
        return path[at] ?? place;
    }
    return place;
  }

  return {
    holder,
    get leaf() {
      return leaf;
    },
    get path() {
      return path;
    },
    show(newLeaf) {
      generation += 1;
      leaf = newLeaf;
      path = model.path(newLeaf);
      results = model.results(path);
      const runs = model.data.branches.find((branch) => branch.leaf === newLeaf)?.forgotten ?? [];
      forgotten = (index) => runs.some(([first, last]) => first <= index && index <= last);
      drawn.clear();
      holder.textContent = "";
      next = 0;
      goOn(generation, FIRST_PORTION);
    },
    reveal(place) {
      const index = path.indexOf(place);
      if (index >= next) drawUpTo(index + 1);
      return drawn.get(holderOf(place));
    },
    placeOf(target) {
      for (let at: Node | null = target; at !== null && at !== holder; at = at.parentNode) {
        const place = places.get(at);
        if (place !== undefined) return place;
      }
      return undefined;
    },
    setAllFolded(isOpen) {
      areFoldsOpen = isOpen;
      for (const entry of drawn.values()) foldAll(entry, isOpen);
    },
  };
}

function foldAll(holder: Element, isOpen: boolean): void {
  for (const details of holder.querySelectorAll("details.fold")) setFolded(details, isOpen);
}

/** `‹ 2/3 ›` where several ways lead on from the entry before. */
function siblingButtons({ model, onBranch }: ConversationOptions, place: number): HTMLElement | undefined {
  const siblings = model.children(model.entry(place)?.parent ?? -1);
  if (siblings.length < 2) return undefined;
  const at = siblings.indexOf(place);
  const to = (step: number, text: string, title: string) => {
    const other = siblings[(at + step + siblings.length) % siblings.length] ?? place;
    return button(text, { title, onClick: () => onBranch(model.leafBelow(other), other) });
  };
  return element(
    "span",
    { class: "siblings", title: `${siblings.length} ways lead on from the entry before` },
    to(-1, "‹", "The way before"),
    `${at + 1}/${siblings.length}`,
    to(1, "›", "The next way"),
  );
}
