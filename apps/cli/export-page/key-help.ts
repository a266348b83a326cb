import { button, element } from "./dom.ts";

const KEYS = [
  ["/", "search every branch; Enter and ↑ ↓ go through what is found"],
  ["j, k", "next and previous entry"],
  ["n, p", "next and previous prompt"],
  ["[, ]", "another way from the same fork"],
  ["e", "unfold or fold everything"],
  ["t", "show or hide the tree"],
  ["d", "light, dark, or as the system has it"],
  ["?", "this help"],
] as const;

export interface KeyHelp {
  readonly dialog: HTMLDialogElement;
  readonly opener: HTMLElement;
  toggle(): void;
}

/** The list of keys, and the button that opens it. */
export function createKeyHelp(): KeyHelp {
  const rows = KEYS.map(([key, meaning]) =>
    element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning)),
  );
  const close = button("Close", { onClick: () => dialog.close() });
  const dialog = element(
    "dialog",
    { class: "keys" },
    element("h2", {}, "Keys"),
    element("dl", {}, ...rows),
    close,
  );
  const toggle = () => (dialog.open ? dialog.close() : dialog.showModal());
  return { dialog, opener: button("?", { class: "icon", title: "Keys (?)", onClick: toggle }), toggle };
}
