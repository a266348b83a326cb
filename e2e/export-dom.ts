import { createContext, runInContext } from "node:vm";
import { parseHTML } from "linkedom";

/** A document as the DOM that tests use knows it. */
export type PageDocument = ReturnType<typeof parseHTML>["document"];

/** A page of `coppice export` in a DOM without a browser: its script has run, nothing was drawn on a screen. */
export interface OpenPage {
  readonly document: PageDocument;
  /** What the page's own script threw, and what it tried that a page without rights would be refused. */
  readonly faults: readonly string[];
  click(selector: string): void;
  press(key: string): void;
  /** Waits until the branch that is shown stands in the document as a whole. */
  drawn(): Promise<void>;
}

/** Opens a page and runs the one script that its policy lets through. */
export async function openPage(html: string, hash = ""): Promise<OpenPage> {
  const faults: string[] = [];
  const { document, window } = parseHTML(html);
  const forbidden = (name: string) => () => {
    faults.push(name);
    throw new Error(`${name} is not for this page`);
  };
  const listeners = new Map<string, (() => void)[]>();
  const sandbox = {
    ...{ document, JSON, Map, Set, WeakMap, Math, Number, String, Object, Array, RegExp, URL, Date, Error },
    ...{ Element: window.Element, setTimeout, encodeURIComponent, decodeURIComponent, console },
    location: { hash },
    history: { replaceState: () => {} },
    localStorage: memoryStorage(),
    ...{
      fetch: forbidden("fetch"),
      alert: forbidden("alert"),
      eval: forbidden("eval"),
      XMLHttpRequest: forbidden("XMLHttpRequest"),
    },
    addEventListener(name: string, listener: () => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
  };
  const scripts = [...document.querySelectorAll("script:not([type])")];
  const context = createContext(Object.assign(sandbox, { window: sandbox }));
  for (const script of scripts) runInContext(script.textContent ?? "", context);
  const page: OpenPage = {
    document,
    faults,
    click(selector) {
      const target = document.querySelector(selector);
      if (target === null) throw new Error(`Nothing is called ${selector}`);
      target.dispatchEvent(new window.Event("click", { bubbles: true, cancelable: true }));
    },
    press(key) {
      const event = new window.Event("keydown", { bubbles: true, cancelable: true });
      document.body.dispatchEvent(Object.assign(event, { key }));
    },
    async drawn() {
      const end = performance.now() + 60_000;
      while (document.documentElement.getAttribute("data-state") !== "drawn") {
        if (performance.now() > end) throw new Error("The page was not drawn within 60 s.");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
  await page.drawn();
  return page;
}

function memoryStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}
