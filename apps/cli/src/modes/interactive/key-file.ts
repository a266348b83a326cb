import type { KeybindingsConfig, KeyId } from "@earendil-works/pi-tui";
import { isKeyName } from "./keymap.ts";

export interface KeyFile {
  readonly keys: KeybindingsConfig;
  /** What could not be used; the rest counts. */
  readonly warnings: readonly string[];
}

const MODIFIERS = new Set(["ctrl", "shift", "alt", "super"]);
const NAMED = new Set([
  ...["escape", "esc", "enter", "return", "tab", "space", "backspace", "delete", "insert", "clear"],
  ...["home", "end", "pageUp", "pageDown", "up", "down", "left", "right"],
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
]);

/**
 * The keys of a `keybindings.json`: `{"app.expand": "ctrl+e", "tui.editor.undo": ["ctrl+_", "f2"]}`; an empty list takes
 * the keys of an action away. Undefined text = there is no file.
 */
export function parseKeyFile(text: string | undefined): KeyFile {
  if (text === undefined) return { keys: {}, warnings: [] };
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { keys: {}, warnings: ["keybindings.json is not JSON; the keys are as they come."] };
  }
  if (typeof file !== "object" || file === null || Array.isArray(file))
    return { keys: {}, warnings: ["keybindings.json is no object; the keys are as they come."] };
  const keys: KeybindingsConfig = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(file)) {
    const bound = Array.isArray(value) ? value : [value];
    const wrong = bound.find((key) => !isKey(key));
    if (!isKeyName(name))
      warnings.push(`keybindings.json: there is no action "${name}"; /hotkeys lists them.`);
    else if (wrong !== undefined) warnings.push(`keybindings.json: ${name} has no key such as "ctrl+o".`);
    else keys[name] = bound as KeyId[];
  }
  return { keys, warnings };
}

function isKey(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const parts = value === "+" ? ["+"] : value.replace(/\+\+$/, "+plus").split("+");
  const key = parts.pop() ?? "";
  const isNamed = NAMED.has(key) || key === "plus" || [...key].length === 1;
  return isNamed && parts.every((part) => MODIFIERS.has(part)) && new Set(parts).size === parts.length;
}
