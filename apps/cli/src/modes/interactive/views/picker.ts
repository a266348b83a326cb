import {
  type Component,
  fuzzyFilter,
  getKeybindings,
  type SelectItem,
  SelectList,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import { keyHints, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import { type Paint, selectListTheme } from "../theme.ts";
import { queryAfter } from "../typed-text.ts";

const MAX_VISIBLE = 12;
const MAX_CHARACTERS = 300;
const NO_NAME = "(no name)";
const NO_CHOICES = "  There is nothing to choose from.";
const NO_MATCHES = "  Nothing fits.";

/** Something to choose from a list; labels may be untrusted. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface PickerOptions {
  /** Lines above the list. */
  readonly title: readonly string[];
  readonly choices: readonly Choice[];
  /** Value of the choice that is marked first. */
  readonly selected?: string;
  /** What its keys do; default: what they do in every list. */
  readonly keys?: string;
  /** How the line that says so reads at this moment; default: as it is. */
  readonly hint?: (keys: string) => string;
  /** Whether what is typed narrows the list down (default: true). */
  readonly canNarrow?: boolean;
  readonly paint: Paint;
  /** The chosen value; undefined when nothing was chosen. */
  readonly onDone: (value: string | undefined) => void;
}

/** What the keys of a list do; `canNarrow`: whether what is typed narrows it down. */
export function pickerHint({ canNarrow = true }: { readonly canNarrow?: boolean } = {}): string {
  return keyHints(
    listHints.move(),
    ...(canNarrow ? ([["type", "to narrow"]] as const) : []),
    listHints.take("takes"),
    listHints.leave("leaves"),
  );
}

/** A list to choose from in place of the editor: arrows move, typing narrows it down, Enter takes, Esc leaves. */
export class Picker implements Component {
  readonly #options: PickerOptions;
  readonly #items: SelectItem[];
  #list: SelectList;
  #filter = "";
  #isEmpty: boolean;

  constructor(options: PickerOptions) {
    this.#options = options;
    this.#items = options.choices.map(({ value, label, description }) => ({
      value,
      // The list below would show the value, as it is, in place of a label of nothing.
      label: inertLine(label, MAX_CHARACTERS) || NO_NAME,
      ...(description === undefined ? {} : { description: inertLine(description, MAX_CHARACTERS) }),
    }));
    this.#isEmpty = this.#items.length === 0;
    this.#list = this.#listOf(this.#items);
    const index = this.#items.findIndex((item) => item.value === options.selected);
    if (index > 0) this.#list.setSelectedIndex(index);
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  render(width: number): readonly string[] {
    const { paint, title, canNarrow = true, keys = pickerHint({ canNarrow }) } = this.#options;
    const { hint = (text: string) => text } = this.#options;
    const filter = this.#filter === "" ? [] : [clipLine(paint("accent", `/ ${this.#filter}`), width)];
    const nothing = this.#items.length === 0 ? NO_CHOICES : NO_MATCHES;
    return [
      "",
      ...title.flatMap((line) => wrapTextWithAnsi(line, width)),
      ...filter,
      ...(this.#isEmpty ? [paint("dim", nothing)] : this.#list.render(width)),
      clipLine(paint("dim", hint(keys)), width),
    ];
  }

  handleInput(data: string): void {
    const filter = queryAfter(this.#filter, data);
    if (getKeybindings().matches(data, "tui.select.cancel")) this.#options.onDone(undefined);
    else if (this.#options.canNarrow === false) this.#list.handleInput(data);
    else if (filter !== undefined) this.#narrow(filter);
    else this.#list.handleInput(data);
  }

  #narrow(filter: string): void {
    this.#filter = filter;
    const text = (item: SelectItem) => `${item.label} ${item.description ?? ""}`;
    const items = this.#filter === "" ? this.#items : fuzzyFilter(this.#items, this.#filter, text);
    this.#isEmpty = items.length === 0;
    this.#list = this.#listOf(items);
  }

  #listOf(items: SelectItem[]): SelectList {
    const list = new SelectList(items, MAX_VISIBLE, selectListTheme(this.#options.paint), {
      // Without a minimum the column would always be as wide as its maximum.
      minPrimaryColumnWidth: 12,
      maxPrimaryColumnWidth: 72,
    });
    list.onSelect = (item) => this.#options.onDone(item.value);
    return list;
  }
}
