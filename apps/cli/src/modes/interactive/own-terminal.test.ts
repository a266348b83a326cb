import { expect, test } from "vitest";
import { unwrapped } from "./own-terminal.ts";

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";

test("B199: lines do not wrap while a frame is drawn, and wrap again after it", () => {
  expect(unwrapped(`${BEGIN}lines${END}`)).toBe(`\u001b[?7l${BEGIN}lines${END}\u001b[?7h`);
  // A long frame comes in pieces.
  expect([`${BEGIN}a`, "b", `c${END}`].map(unwrapped).join("")).toBe(unwrapped(`${BEGIN}abc${END}`));
  expect(unwrapped("\u001b[3G")).toBe("\u001b[3G");
});
