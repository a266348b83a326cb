import { decodeKittyPrintable, getKeybindings } from "@earendil-works/pi-tui";

/** Typed text, as opposed to the sequences of keys; marks belong to the letters before them. */
const TEXT = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/** The text that terminal input stands for; undefined for keys. */
export function typedText(data: string): string | undefined {
  const typed = decodeKittyPrintable(data) ?? data;
  return TEXT.test(typed) ? typed : undefined;
}

/** What is looked for after terminal input that writes or deletes; undefined for any other. */
export function queryAfter(query: string, data: string): string | undefined {
  if (getKeybindings().matches(data, "tui.editor.deleteCharBackward")) {
    return [...query].slice(0, -1).join("");
  }
  const typed = typedText(data);
  return typed === undefined ? undefined : (query + typed).trimStart();
}
