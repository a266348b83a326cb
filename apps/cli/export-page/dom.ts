const SVG = "http://www.w3.org/2000/svg";

/** What an element may be given. Text of the session never goes into a name, only into a value or a child. */
export interface ElementOptions {
  readonly class?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: Event) => void;
}

export type Child = Node | string | undefined;

/** An HTML element; text becomes text nodes. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), options, children);
}

/** An SVG element; text becomes text nodes. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), options, children);
}

/** A button that shows text. */
export function button(text: string, options: ElementOptions): HTMLButtonElement {
  return element("button", { ...options, attributes: { type: "button", ...options.attributes } }, text);
}

/** Takes away what an element holds and puts something else there. */
export function refill(holder: Element, ...children: readonly Child[]): void {
  holder.textContent = "";
  appendAll(holder, children);
}

export function appendAll(holder: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    holder.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

function filled<E extends Element>(target: E, options: ElementOptions, children: readonly Child[]): E {
  if (options.class !== undefined) target.setAttribute("class", options.class);
  if (options.title !== undefined) target.setAttribute("title", options.title);
  for (const [name, value] of Object.entries(options.attributes ?? {})) target.setAttribute(name, value);
  if (options.onClick !== undefined) target.addEventListener("click", options.onClick);
  appendAll(target, children);
  return target;
}
