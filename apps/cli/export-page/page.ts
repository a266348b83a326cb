import type { ExportData } from "../src/export/export-data.ts";
import { addressedEntry, entryAddress } from "./address.ts";
import { createBranchChoice } from "./branch-choice.ts";
import { createChartView } from "./chart-view.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { button, element } from "./dom.ts";
import { setFolded } from "./folded.ts";
import { highlight } from "./highlight.ts";
import { createKeyHelp } from "./key-help.ts";
import { listenToKeys } from "./keyboard.ts";
import { pageFacts, pageTitle } from "./page-head.ts";
import { createPageModel, type PageModel } from "./page-model.ts";
import { createSearchView } from "./search-view.ts";
import { createThemeSwitch } from "./theme.ts";
import { createTreeView, TREE_FILTERS, type TreeFilter } from "./tree-view.ts";

/** Draws a session into the document and keeps address, tree, chart and conversation in step. */
export function startPage(data: ExportData): void {
  const root = document.documentElement;
  const model = createPageModel(data);
  const first = data.branches[0]?.leaf ?? -1;
  let chosen: number | undefined;

  const conversation = createConversation({
    model,
    later: (task) => setTimeout(task, 0),
    onBranch: (leaf, place) => showBranch(leaf, place),
    onDrawn: () => root.setAttribute("data-state", "drawn"),
  });
  const chart = createChartView(model, (place) => goTo(place));
  const tree = createTreeView(model, (place) => goTo(place));
  const branches = createBranchChoice(model, (leaf) => showBranch(leaf, undefined));
  const search = createSearchView({
    model,
    isOnPath: (place) => conversation.path.includes(place),
    onChoose: (place, query) => goTo(place, query),
  });
  const theme = createThemeSwitch(root);
  const help = createKeyHelp();
  let areFoldsOpen = false;

  function showBranch(leaf: number, place: number | undefined): void {
    root.setAttribute("data-state", "drawing");
    conversation.show(leaf);
    branches?.show(leaf);
    chart.show(conversation.path);
    mark(place);
    if (place !== undefined) scrollTo(place);
    else window.scrollTo?.(0, 0);
  }

  /** Shows an entry, wherever it is, and names it in the address. */
  function goTo(place: number, query = ""): void {
    const entry = model.entry(place);
    if (entry === undefined) return;
    if (!conversation.path.includes(place)) {
      root.setAttribute("data-state", "drawing");
      conversation.show(model.leafBelow(place));
      branches?.show(conversation.leaf);
      chart.show(conversation.path);
    }
    history.replaceState?.(null, "", entryAddress(entry.id));
    scrollTo(place);
    mark(place);
    const shown = conversation.reveal(place);
    if (query === "" || shown === undefined) return;
    for (const fold of shown.querySelectorAll("details.fold")) setFolded(fold, true);
    highlight(shown, query);
  }

  function scrollTo(place: number): void {
    const shown = conversation.reveal(place);
    if (shown === undefined) return;
    const card = shown.querySelectorAll("details.tool");
    if (model.entry(place)?.view.kind === "result") for (const fold of card) setFolded(fold, true);
    shown.scrollIntoView?.({ block: "start" });
    shown.focus?.({ preventScroll: true });
  }

  function mark(place: number | undefined): void {
    conversation.holder.querySelector(".entry.chosen")?.classList.remove("chosen");
    chosen = place;
    if (place !== undefined) {
      conversation.reveal(place)?.classList.add("chosen");
      tree.bringIntoSight(place);
    }
    tree.mark(conversation.path, place);
  }

  document.body.appendChild(
    layout({
      title: pageTitle(data),
      facts: pageFacts(data),
      search: search.holder,
      tools: [foldSwitch(), theme.holder, help.opener, treeSwitch(root)],
      tree: treePanel(tree.holder, tree.setFilter),
      branches: branches?.holder,
      chart: chart.holder,
      entries: conversation.holder,
      help: help.dialog,
    }),
  );
  listenToKeys({
    search,
    theme,
    help,
    step: (direction, isPromptOnly) =>
      goTo(neighbour(model, conversation, { from: chosen, direction, isPromptOnly })),
    sibling: (direction) => goTo(siblingOf(model, chosen, direction)),
    toggleFolds,
    toggleTree: () => root.classList.toggle("tree-hidden"),
  });
  window.addEventListener("hashchange", () => followAddress());
  window.addEventListener("resize", () => chart.show(conversation.path));

  function foldSwitch(): HTMLElement {
    return button("⇅", { class: "icon", title: "Unfold or fold everything (e)", onClick: toggleFolds });
  }

  function toggleFolds(): void {
    areFoldsOpen = !areFoldsOpen;
    conversation.setAllFolded(areFoldsOpen);
  }

  function followAddress(): boolean {
    const place = model.placeOf(addressedEntry(location.hash) ?? "");
    if (place === undefined) return false;
    goTo(place);
    return true;
  }

  showBranch(first, undefined);
  followAddress();
  root.setAttribute("data-ready", "");
}

interface LayoutParts {
  readonly title: string;
  readonly facts: HTMLElement;
  readonly search: HTMLElement;
  readonly tools: readonly HTMLElement[];
  readonly tree: HTMLElement;
  readonly branches: HTMLElement | undefined;
  readonly chart: HTMLElement;
  readonly entries: HTMLElement;
  readonly help: HTMLElement;
}

function layout(parts: LayoutParts): HTMLElement {
  return element(
    "div",
    { class: "page" },
    element(
      "header",
      { class: "top" },
      element("h1", { title: parts.title }, parts.title),
      parts.search,
      element("nav", { class: "tools" }, ...parts.tools),
    ),
    parts.tree,
    element(
      "main",
      {},
      parts.facts,
      element("section", { class: "context" }, element("h2", {}, "Context over time"), parts.chart),
      parts.branches,
      parts.entries,
    ),
    parts.help,
  );
}

function treePanel(scroll: HTMLElement, setFilter: (filter: TreeFilter) => void): HTMLElement {
  const list = element(
    "select",
    { attributes: { "aria-label": "What the tree shows" } },
    ...TREE_FILTERS.map((filter) => element("option", { attributes: { value: filter } }, filter)),
  );
  list.value = "messages";
  list.addEventListener("change", () =>
    setFilter(TREE_FILTERS.find((filter) => filter === list.value) ?? "messages"),
  );
  return element(
    "aside",
    { class: "tree" },
    element("div", { class: "tree-head" }, element("h2", {}, "Tree"), list),
    scroll,
  );
}

function treeSwitch(root: HTMLElement): HTMLElement {
  return button("☰", {
    class: "icon tree-switch",
    title: "Show or hide the tree (t)",
    onClick: () => root.classList.toggle("tree-hidden"),
  });
}

interface Step {
  readonly from: number | undefined;
  readonly direction: 1 | -1;
  readonly isPromptOnly: boolean;
}

/** The entry before or after one on the branch that is shown; -1 at its ends. */
function neighbour(
  model: PageModel,
  { path }: Conversation,
  { from, direction, isPromptOnly }: Step,
): number {
  const { inCards } = model.results(path);
  const start = from === undefined ? (direction === 1 ? -1 : path.length) : path.indexOf(from);
  for (let at = start + direction; at >= 0 && at < path.length; at += direction) {
    const place = path[at] ?? -1;
    if (inCards.has(place)) continue;
    if (!isPromptOnly || model.entry(place)?.view.kind === "prompt") return place;
  }
  return -1;
}

function siblingOf(model: PageModel, place: number | undefined, direction: 1 | -1): number {
  if (place === undefined) return -1;
  const siblings = model.children(model.entry(place)?.parent ?? -1);
  return siblings.length < 2
    ? -1
    : (siblings.at((siblings.indexOf(place) + direction) % siblings.length) ?? -1);
}
