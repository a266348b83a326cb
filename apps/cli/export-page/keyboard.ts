import type { KeyHelp } from "./key-help.ts";

export interface KeyTargets {
  readonly search: { focus(): void; close(): void };
  readonly theme: { next(): void };
  readonly help: KeyHelp;
  step(direction: 1 | -1, isPromptOnly: boolean): void;
  sibling(direction: 1 | -1): void;
  toggleFolds(): void;
  toggleTree(): void;
}

/** Keys of the page, while nothing is being typed. */
export function listenToKeys(targets: KeyTargets): void {
  const actions: Readonly<Record<string, () => void>> = {
    "/": () => targets.search.focus(),
    j: () => targets.step(1, false),
    k: () => targets.step(-1, false),
    n: () => targets.step(1, true),
    p: () => targets.step(-1, true),
    "]": () => targets.sibling(1),
    "[": () => targets.sibling(-1),
    e: () => targets.toggleFolds(),
    t: () => targets.toggleTree(),
    d: () => targets.theme.next(),
    "?": () => targets.help.toggle(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") targets.search.close();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName.toUpperCase());
}
