import type { AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";

/** Where the caret stands in a text. */
interface Caret {
  readonly line: number;
  readonly col: number;
}

/** Completions, and the very text and place that they were made for. */
export interface CompletionOffer {
  readonly text: string;
  readonly caret: Caret;
  readonly values: readonly string[];
}

/** Whether completions still fit the text: whoever types fast is ahead of them. */
export function isOfferFor(offer: CompletionOffer | undefined, text: string, caret: Caret): boolean {
  return offer?.text === text && offer.caret.line === caret.line && offer.caret.col === caret.col;
}

/** Whether a text is one of the offered commands already, so that there is nothing left to complete. */
export function isWholeCommand(offer: CompletionOffer | undefined, text: string): boolean {
  return text.startsWith("/") && offer?.values.includes(text.slice(1)) === true;
}

/** The same completions; each offer that comes in time is told. */
export function watchOffers(
  provider: AutocompleteProvider,
  onOffer: (offer: CompletionOffer) => void,
): AutocompleteProvider {
  return {
    ...(provider.triggerCharacters === undefined ? {} : { triggerCharacters: provider.triggerCharacters }),
    async getSuggestions(lines, line, col, options) {
      const text = lines.join("\n");
      const found: AutocompleteSuggestions | null = await provider.getSuggestions(lines, line, col, options);
      // Whoever went on typing wants no completions of what they had typed before.
      if (found === null || options.signal.aborted) return null;
      onOffer({ text, caret: { line, col }, values: found.items.map(({ value }) => value) });
      return found;
    },
    applyCompletion: (...args) => provider.applyCompletion(...args),
    shouldTriggerFileCompletion: (...args) => provider.shouldTriggerFileCompletion?.(...args) ?? true,
  };
}
