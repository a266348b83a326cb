import {
  getKeybindings,
  type Keybinding,
  type KeybindingsConfig,
  KeybindingsManager,
  type KeyId,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";

/** Every key that the application itself handles; the editor has its own. Order = order in `/help`. */
const APP_KEYS = {
  "app.interrupt": {
    defaultKeys: ["escape"],
    description: "stop what runs; queued text comes back to the editor",
  },
  "app.followUp": { defaultKeys: ["alt+enter"], description: "send when the work is done" },
  "app.retract": { defaultKeys: ["alt+up"], description: "take queued text back without stopping" },
  "app.expand": { defaultKeys: ["ctrl+o"], description: "show tool output in full, or short again" },
  "app.thinking": { defaultKeys: ["ctrl+t"], description: "show or hide the model's thinking" },
  "app.externalEditor": { defaultKeys: ["ctrl+g"], description: "write the prompt in $VISUAL or $EDITOR" },
  "app.pasteImage": { defaultKeys: ["ctrl+v"], description: "attach the image of the clipboard" },
  "app.clear": { defaultKeys: ["ctrl+c"], description: "clear the editor; twice: quit" },
  "app.quit": { defaultKeys: ["ctrl+d"], description: "quit, when the editor is empty" },
  "app.suspend": { defaultKeys: ["ctrl+z"], description: "suspend to the shell" },
} as const satisfies Readonly<Record<string, { defaultKeys: KeyId[]; description: string }>>;

/** Keys of the views that stand in the editor's place, each only there. */
const VIEW_KEYS = {
  "view.filter": { defaultKeys: ["tab"], description: "in /tree and /context: show other kinds of entries" },
  "view.fold": { defaultKeys: ["left"], description: "in /tree: fold" },
  "view.unfold": { defaultKeys: ["right"], description: "in /tree: unfold" },
  "view.label": { defaultKeys: ["ctrl+l"], description: "in /tree: label" },
  "view.request": { defaultKeys: ["ctrl+p"], description: "in /context: show the exact request" },
  "view.take": {
    defaultKeys: ["ctrl+s"],
    description: "take a text of many lines, such as the draft of a summary",
  },
} as const satisfies Readonly<Record<string, { defaultKeys: KeyId[]; description: string }>>;

export type AppAction = keyof typeof APP_KEYS;

declare module "@earendil-works/pi-tui" {
  interface Keybindings extends Record<AppAction | keyof typeof VIEW_KEYS, true> {}
}

const ALL_KEYS = { ...TUI_KEYBINDINGS, ...APP_KEYS, ...VIEW_KEYS };

const ACTIONS = Object.keys(APP_KEYS) as readonly AppAction[];

const TUI_ACTIONS = Object.keys(TUI_KEYBINDINGS) as readonly (keyof typeof TUI_KEYBINDINGS)[];

/** Keys of the editor and of lists that `/help` names, in its order. */
const EDITOR_ACTIONS = [
  ["tui.input.submit", "send; while the agent works: steer it"],
  ["tui.input.newLine", "new line"],
  ["tui.input.tab", "complete a command or a path; @ completes files of the project"],
  ["tui.editor.undo", "undo"],
] as const;

/** The one table that every handler and every hint asks (fault kind UI-21). */
export function useKeys(own: KeybindingsConfig = {}): void {
  setKeybindings(new KeybindingsManager(ALL_KEYS, own));
}

useKeys();

/** The action that terminal input asks for; undefined for everything that belongs to the editor. */
export function actionOf(data: string): AppAction | undefined {
  return ACTIONS.find((action) => getKeybindings().matches(data, action));
}

/** What the key above Enter sends on most terminals. */
const DELETE = "\u007f";

/** Whether input is a Backspace that no action has: it is no character, but the editor would write it as one. */
export function isIdleBackspace(data: string): boolean {
  const keys = getKeybindings();
  return data === DELETE && !TUI_ACTIONS.some((action) => keys.matches(data, action));
}

/** Whether a name in a keybindings file stands for anything. */
export function isKeyName(name: string): boolean {
  return Object.hasOwn(ALL_KEYS, name);
}

/** The first key of an action, for people; empty when it has none. */
export function keyText(action: Keybinding): string {
  const [key] = getKeybindings().getKeys(action);
  return key === undefined ? "" : keyName(key);
}

const ARROWS: Readonly<Record<string, string>> = { Up: "↑", Down: "↓", Left: "←", Right: "→" };

/** The first keys of two actions that belong together: `↑↓`, `K/J`; without those that have none. */
export function keyPairText(one: Keybinding, other: Keybinding): string {
  const keys = [one, other].map(keyText).filter((key) => key !== "");
  const arrows = keys.map((key) => ARROWS[key]);
  return arrows.includes(undefined) ? keys.join("/") : arrows.join("");
}

/** What keys do, in one line; what has no key is left out. */
export function keyHints(...hints: readonly (readonly [key: string, does: string])[]): string {
  return hints
    .filter(([key]) => key !== "")
    .map(([key, does]) => `${key} ${does}`)
    .join(" · ");
}

/** The keys that every list has. */
export const listHints = {
  move: () => [keyPairText("tui.select.up", "tui.select.down"), "move"] as const,
  take: (does: string) => [keyText("tui.select.confirm"), does] as const,
  leave: (does: string) => [keyText("tui.select.cancel"), does] as const,
};

/** Keys and what they do, for `/help`. */
export function keyHelp(): readonly (readonly [keys: string, help: string])[] {
  const keys = getKeybindings();
  const names = (action: Keybinding) => keys.getKeys(action).map(keyName).join(", ");
  return [
    ...EDITOR_ACTIONS.map(([action, help]) => [names(action), help] as const),
    ["Up, Down", "earlier prompts"] as const,
    ...ACTIONS.map((action) => [names(action), APP_KEYS[action].description] as const),
  ];
}

/** Every action by its name in `keybindings.json`, with its keys and what it does, for `/hotkeys`. */
export function keyTable(): readonly (readonly [name: string, keys: string, help: string])[] {
  const keys = getKeybindings();
  return Object.entries({ ...APP_KEYS, ...VIEW_KEYS, ...TUI_KEYBINDINGS })
    .filter(([name]) => !name.startsWith("tui.altScreen."))
    .map(([name, { description }]) => {
      const bound = keys
        .getKeys(name as Keybinding)
        .map(keyName)
        .join(", ");
      return [name, bound === "" ? "–" : bound, description ?? ""] as const;
    });
}

const NAMES: Readonly<Record<string, string>> = { escape: "Esc", pageUp: "PageUp", pageDown: "PageDown" };

function keyName(key: KeyId): string {
  return key
    .split("+")
    .map((part) => NAMES[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join("+");
}
