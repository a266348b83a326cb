import { element, refill } from "./dom.ts";
import { entryTitle } from "./entry-text.ts";
import type { PageModel } from "./page-model.ts";
import { createSearch } from "./search.ts";
import { plainLine } from "./shown-text.ts";

/** More are counted and not listed. */
const MAX_HITS = 200;

export interface SearchView {
  readonly holder: HTMLElement;
  /** What is looked for now; empty: nothing. */
  readonly query: string;
  focus(): void;
  close(): void;
}

export interface SearchViewOptions {
  readonly model: PageModel;
  isOnPath(place: number): boolean;
  onChoose(place: number, query: string): void;
}

/** A field that searches every entry of every branch, and the list of what it found. */
export function createSearchView({ model, isOnPath, onChoose }: SearchViewOptions): SearchView {
  const field = element("input", {
    attributes: {
      type: "search",
      placeholder: "Search every branch  ( / )",
      "aria-label": "Search",
      autocomplete: "off",
      spellcheck: "false",
    },
  });
  const count = element("span", { class: "quiet count", attributes: { "aria-live": "polite" } });
  const list = element("ol", { class: "hits" });
  const panel = element("div", { class: "hit-panel", attributes: { hidden: "" } }, count, list);
  const search = createSearch(model);
  let places: readonly number[] = [];
  let at = -1;

  function update(): void {
    const { count: found, hits } = search(field.value, MAX_HITS);
    places = hits.map(({ place }) => place);
    at = -1;
    panel.toggleAttribute("hidden", field.value.trim() === "");
    const cut = found > hits.length ? `, the first ${hits.length} are listed` : "";
    refill(count, found === 0 ? "Nothing found" : `${found} ${found === 1 ? "entry" : "entries"}${cut}`);
    refill(
      list,
      ...hits.map(({ place, before, match, after }, index) => {
        const view = model.entry(place)?.view;
        const kind =
          view === undefined ? "" : view.kind === "result" ? entryTitle(view).split(":", 1)[0] : view.kind;
        return element(
          "li",
          { onClick: () => choose(index) },
          element("span", { class: "tag" }, isOnPath(place) ? (kind ?? "") : `${kind}, other branch`),
          `${plainLine(before, 60)} `,
          element("mark", {}, plainLine(match, 100)),
          ` ${plainLine(after, 100)}`,
        );
      }),
    );
  }

  function choose(index: number): void {
    const place = places[index];
    if (place === undefined) return;
    at = index;
    list.querySelector(".chosen")?.classList.remove("chosen");
    list.children[index]?.classList.add("chosen");
    list.children[index]?.scrollIntoView?.({ block: "nearest" });
    onChoose(place, field.value.trim());
  }

  field.addEventListener("input", update);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") choose(Math.min(at + 1, places.length - 1));
    else if (event.key === "ArrowUp") choose(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  });
  const holder = element("div", { class: "search", attributes: { role: "search" } }, field, panel);
  return {
    holder,
    get query() {
      return field.value.trim();
    },
    focus: () => field.focus(),
    close() {
      field.value = "";
      field.blur();
      update();
    },
  };
}
