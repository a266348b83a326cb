import { type KeyId, matchesKey } from "@earendil-works/pi-tui";

interface KeyRow {
  readonly keys: readonly KeyId[];
  readonly help: string;
}

/** Every key that the application itself handles; the editor has its own. Order = order in `/help`. */
const KEYMAP = {
  interrupt: { keys: ["escape"], help: "stop what runs; queued text comes back to the editor" },
  followUp: { keys: ["alt+enter"], help: "send when the work is done" },
  retract: { keys: ["alt+up"], help: "take queued text back without stopping" },
  expand: { keys: ["ctrl+o"], help: "show tool output in full, or short again" },
  thinking: { keys: ["ctrl+t"], help: "show or hide the model's thinking" },
  clear: { keys: ["ctrl+c"], help: "clear the editor; twice: quit" },
  quit: { keys: ["ctrl+d"], help: "quit, when the editor is empty" },
  suspend: { keys: ["ctrl+z"], help: "suspend to the shell" },
} as const satisfies Readonly<Record<string, KeyRow>>;

export type AppAction = keyof typeof KEYMAP;

const ROWS = Object.entries(KEYMAP) as readonly (readonly [AppAction, KeyRow])[];

/** The action that terminal input asks for; undefined for everything that belongs to the editor. */
export function actionOf(data: string): AppAction | undefined {
  return ROWS.find(([, row]) => row.keys.some((key) => matchesKey(data, key)))?.[0];
}

/** Keys and what they do, for `/help`. */
export function keyHelp(): readonly (readonly [keys: string, help: string])[] {
  const editorKeys = [
    ["Enter", "send; while the agent works: steer it"],
    ["Shift+Enter, Ctrl+J", "new line"],
    ["Up, Down", "earlier prompts"],
    ["Tab", "complete a command or a path; @ completes files of the project"],
  ] as const;
  const own = ROWS.map(([, row]) => [row.keys.map(keyText).join(", "), row.help] as const);
  return [...editorKeys, ...own];
}

function keyText(key: KeyId): string {
  const names: Readonly<Record<string, string>> = { escape: "Esc" };
  return key
    .split("+")
    .map((part) => names[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join("+");
}
