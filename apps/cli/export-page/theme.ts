import { button } from "./dom.ts";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const SIGNS: Readonly<Record<Theme, string>> = { auto: "◐", light: "☀", dark: "☾" };
const KEY = "coppice-export-theme";

/** A button that goes through the themes; "auto" follows the system. The choice is kept by the browser where it may be. */
export function createThemeSwitch(root: HTMLElement): { readonly holder: HTMLElement; next(): void } {
  let theme: Theme = stored();
  const holder = button("", { class: "icon", onClick: () => next() });
  const apply = () => {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
    holder.textContent = SIGNS[theme];
    holder.title = `Theme: ${theme} (d)`;
  };
  function next(): void {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A page from a file may be allowed to keep nothing; the choice then holds for this look at it.
    }
    apply();
  }
  apply();
  return { holder, next };
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === value) ?? "auto";
  } catch {
    return "auto";
  }
}
