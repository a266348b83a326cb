import { expect, onTestFinished, test, vi } from "vitest";
import { KeyActions, type KeyActionsOptions } from "./key-actions.ts";
import { keyHelp } from "./keymap.ts";

function createKeys(text = "", isShowingAutocomplete = false) {
  const log: string[] = [];
  let nowMs = 0;
  const note = (what: string, answer = true) => {
    log.push(what);
    return answer;
  };
  const editor = {
    getText: () => text,
    setText: (value: string) => note(`setText(${value})`),
    take: () => text,
    isShowingAutocomplete: () => isShowingAutocomplete,
  };
  const transcript = { toggleExpanded: () => note("expanded"), toggleThinking: () => note("thinking") };
  const keys = new KeyActions({
    views: { editor, transcript } as unknown as KeyActionsOptions["views"],
    prompting: { interrupt: () => note("interrupt"), retract: () => note("retract", false) },
    now: () => nowMs,
    submitFollowUp: (value) => note(`followUp(${value})`),
    quit: () => note("quit"),
    suspend: () => note("suspend"),
    hint: (value) => note(value ?? "no hint"),
  });
  return {
    press: (data: string) => keys.handle(data),
    pass: (ms: number) => {
      nowMs += ms;
    },
    log,
  };
}

test("Ctrl+C clears and says that a second one quits; a late second one only clears", () => {
  const { press, pass, log } = createKeys("draft");
  press("\u0003");
  pass(2_001);
  press("\u0003");
  pass(1_999);
  press("\u0003");
  const cleared = ["setText()", "Ctrl+C again quits.", "no hint"];
  expect(log).toEqual([...cleared, ...cleared, "quit"]);
});

test("UI-14: that a second Ctrl+C quits is said once and as long as it holds: for two seconds, or until another key", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { press, pass, log } = createKeys();
  const said = ["setText()", "Ctrl+C again quits."];
  press("\u0003");
  vi.advanceTimersByTime(1_999);
  expect(log.splice(0)).toEqual(said);
  vi.advanceTimersByTime(1);
  expect(log.splice(0)).toEqual(["no hint"]);
  pass(2_001);
  press("\u0003");
  press("a");
  press("b");
  vi.advanceTimersByTime(9_000);
  expect(log).toEqual([...said, "no hint"]);
});

test("any other key between two Ctrl+C keeps the second one from quitting", () => {
  for (const key of ["a", "\u001b", "\u000f", "\u001b[A"]) {
    const { press, log } = createKeys();
    press("\u0003");
    press(key);
    press("\u0003");
    expect(log).not.toContain("quit");
    press("\u0003");
    expect(log.at(-1)).toBe("quit");
  }
});

test("Ctrl+D quits on an empty editor and deletes in a full one", () => {
  const empty = createKeys();
  expect(empty.press("\u0004")).toBe(true);
  expect(empty.log).toEqual(["quit"]);
  const full = createKeys("x");
  expect(full.press("\u0004")).toBe(false);
  expect(full.log).toEqual([]);
});

test("Esc closes an open menu before it interrupts", () => {
  const menu = createKeys("/he", true);
  expect(menu.press("\u001b")).toBe(false);
  const work = createKeys();
  expect(work.press("\u001b")).toBe(true);
  expect([menu.log, work.log]).toEqual([[], ["interrupt"]]);
});

test("Alt+Enter follows up, Alt+Up retracts or moves, Ctrl+O, Ctrl+T and Ctrl+Z act; letters are the editor's", () => {
  const { press, log } = createKeys("later");
  expect(press("\u001b\r")).toBe(true);
  expect(press("\u001b[1;3A")).toBe(false);
  expect([press("\u000f"), press("\u0014"), press("\u001a"), press("a"), press("\r")]).toEqual([
    ...[true, true, true, false, false],
  ]);
  expect(log).toEqual(["followUp(later)", "retract", "expanded", "thinking", "suspend"]);
});

test("help names every key once", () => {
  const keys = keyHelp().map(([key]) => key);
  expect(keys).toContain("Ctrl+O");
  expect(new Set(keys).size).toBe(keys.length);
});
