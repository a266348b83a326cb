import { expect, test } from "vitest";
import { openApp } from "../testing/open-app.ts";
import { createPaint } from "../theme.ts";
import { HintView } from "./hint-view.ts";

const CTRL_C = "\u0003";

test("of hints there is one, and what it holds is shown inert and within the width", () => {
  const view = new HintView(createPaint(false));
  expect(view.render(20)).toEqual([]);
  view.show("first");
  view.show("\u001b[2Ja word or two that need lines");
  const lines = view.render(20);
  expect(lines.join("")).not.toContain("\u001b[2J");
  expect(lines.every((line) => line.length <= 20)).toBe(true);
  view.show(undefined);
  expect(view.render(20)).toEqual([]);
});

test("UI-14: the hint stands below everything that comes while it is shown, and is gone when the program ends", async () => {
  const { app, type, shown } = await openApp();
  type("x", CTRL_C);
  app.notice("Something came up.");
  const lines = shown();
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(at("Something came up.")).toBeGreaterThan(-1);
  expect(at("again quits.")).toBeGreaterThan(at("Something came up."));
  app.quit();
  expect(shown().join("\n")).not.toContain("again quits.");
});
