import { appendAll, type Child, element } from "./dom.ts";

/** Fills a fold without opening it: what its content would be. */
const FILLERS = new WeakMap<Element, () => void>();

/** Something that is made when it is first unfolded. */
export function folded(
  title: string | readonly Child[],
  content: () => readonly Child[],
  className = "",
): HTMLDetailsElement {
  const summary = element("summary", {}, ...(typeof title === "string" ? [title] : title));
  const details = element("details", { class: `fold ${className}`.trim() }, summary);
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    appendAll(details, content());
  };
  FILLERS.set(details, fill);
  details.addEventListener("toggle", fill);
  return details;
}

/** Opens or closes a fold; opening it fills it at once. */
export function setFolded(details: Element, isOpen: boolean): void {
  if (isOpen) {
    FILLERS.get(details)?.();
    details.setAttribute("open", "");
  } else details.removeAttribute("open");
}
