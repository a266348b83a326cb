import { afterEach, expect, test } from "vitest";
import { parseKeyFile } from "./key-file.ts";
import { actionOf, keyHelp, keyTable, keyText, useKeys } from "./keymap.ts";
import { createPaint } from "./theme.ts";
import { pickerHint } from "./views/picker.ts";
import { toolCardLines } from "./views/tool-card-lines.ts";

afterEach(() => useKeys());

test("UI-21: keys of a file go over those that come along; every hint and handler asks the one table", () => {
  const { keys, warnings } = parseKeyFile(
    '{"app.expand": "ctrl+e", "app.interrupt": ["f2", "ctrl+x"], "tui.select.cancel": "f3", "app.suspend": []}',
  );
  expect(warnings).toEqual([]);
  useKeys(keys);
  expect(["\u0005", "\u000f", "\u001bOQ", "\u0018", "\u001b", "\u001a"].map(actionOf)).toEqual([
    "app.expand",
    undefined,
    "app.interrupt",
    "app.interrupt",
    undefined,
    undefined,
  ]);
  expect([keyText("app.expand"), keyText("app.interrupt"), keyText("app.suspend")]).toEqual([
    "Ctrl+E",
    "F2",
    "",
  ]);
  expect(pickerHint()).toBe("↑↓ move · type to narrow · Enter takes · F3 leaves");
  expect(keyHelp().find(([, help]) => help.startsWith("stop"))?.[0]).toBe("F2, Ctrl+X");
  const card = {
    ...({ toolName: "grep", args: {}, status: "ok", output: "1\n2\n3\n4\n5", details: undefined } as const),
    ...{ durationMs: undefined, isExpanded: false },
  };
  const look = { paint: createPaint(false), highlight: (code: string) => code.split("\n") };
  expect(toolCardLines(card, 60, look).at(-1)).toBe("  … +1 line (Ctrl+E)");
});

test("UI-21: what one action is given is not taken from another", () => {
  useKeys(parseKeyFile('{"app.expand": "ctrl+k"}').keys);
  const rows = keyTable().filter(([, keys]) => keys.split(", ").includes("Ctrl+K"));
  expect(rows.map(([name]) => name)).toEqual(["app.expand", "tui.editor.deleteToLineEnd"]);
});

test("what a key file has wrong is told by name, and the rest counts", () => {
  const { keys, warnings } = parseKeyFile(
    '{"app.fly": "f1", "app.quit": "ctrl+", "app.clear": 3, "app.expand": "f4"}',
  );
  expect(keys).toEqual({ "app.expand": ["f4"] });
  expect(warnings).toEqual([
    'keybindings.json: there is no action "app.fly"; /hotkeys lists them.',
    'keybindings.json: app.quit has no key such as "ctrl+o".',
    'keybindings.json: app.clear has no key such as "ctrl+o".',
  ]);
  expect(parseKeyFile("{").warnings).toEqual(["keybindings.json is not JSON; the keys are as they come."]);
  expect(parseKeyFile("[]").warnings).toEqual(["keybindings.json is no object; the keys are as they come."]);
  expect(parseKeyFile(undefined)).toEqual({ keys: {}, warnings: [] });
});
