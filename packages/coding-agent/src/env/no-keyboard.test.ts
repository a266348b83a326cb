import { expect, test } from "vitest";
import { withoutKeyboard } from "./no-keyboard.ts";

test("B177: editors, pagers and prompts are off whatever the user has set, except on purpose", () => {
  const own = { PATH: "/bin", EDITOR: "vim", PAGER: "less", GIT_TERMINAL_PROMPT: "1" };
  const { EDITOR, VISUAL, GIT_EDITOR, ...rest } = withoutKeyboard(own, { keep: ["PAGER", "LESS"] });
  expect(rest).toEqual({ PATH: "/bin", GIT_TERMINAL_PROMPT: "0", PAGER: "less", GIT_PAGER: "cat" });
  expect(new Set([EDITOR, VISUAL, GIT_EDITOR]).size).toBe(1);
  expect(EDITOR).toMatch(/^sh -c /);
});
