import { timeText } from "./amounts.ts";
import { element } from "./dom.ts";
import { entryTitle } from "./entry-text.ts";
import type { PageModel } from "./page-model.ts";

/** More ends than this are reached through the tree. */
const MAX_CHOICES = 500;

/** A list of the ends of the tree; undefined where there is one only. */
export function createBranchChoice(
  model: PageModel,
  onChoose: (leaf: number) => void,
): { readonly holder: HTMLElement; show(leaf: number): void } | undefined {
  const branches = model.data.branches.slice(0, MAX_CHOICES);
  if (branches.length < 2) return undefined;
  const options = branches.map(({ leaf }, index) =>
    element("option", { attributes: { value: String(leaf) } }, branchTitle(model, leaf, index === 0)),
  );
  const list = element("select", { attributes: { "aria-label": "Branch" } }, ...options);
  list.addEventListener("change", () => onChoose(Number(list.value)));
  return {
    holder: element("label", { class: "branch-choice" }, `Branch (${model.data.branches.length}) `, list),
    show(leaf) {
      list.value = String(leaf);
    },
  };
}

/** The last prompt of a branch says best what it is about. */
function branchTitle(model: PageModel, leaf: number, isCurrent: boolean): string {
  const path = model.path(leaf);
  const prompt = path.findLast((place) => model.entry(place)?.view.kind === "prompt") ?? leaf;
  const entry = model.entry(prompt);
  const title = entry === undefined ? "" : entryTitle(entry.view).slice(0, 60);
  return `${isCurrent ? "● " : ""}${timeText(model.entry(leaf)?.at ?? "")} ${title}`.trim();
}
