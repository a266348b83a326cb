import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evenEmoji } from "./even-emoji.ts";

const FAMILY = "👩\u200d👩\u200d👧";

test.each([
  { name: "a joined family stands side by side", text: FAMILY, shown: "👩👩👧" },
  { name: "a heart between two is text", text: "👩\u200d❤\ufe0f\u200d👨", shown: "👩❤👨" },
  { name: "a skin tone is left out", text: "👍🏽 👩🏿\u200d💻", shown: "👍 👩💻" },
  { name: "a keycap is a digit", text: "1\ufe0f\u20e3", shown: "1\u20e3" },
  { name: "a flag and half a flag stay", text: "🇨🇳🇨", shown: "🇨🇳🇨" },
  { name: "joiners of scripts stay", text: "क्\u200dष 报错", shown: "क्\u200dष 报错" },
])("B199: $name", ({ text, shown }) => {
  expect(evenEmoji(text)).toBe(shown);
});

test("B199: what is shown is as wide as its characters one by one", () => {
  const unit = fc.constantFrom("👩", "👧", "\u200d", "\ufe0f", "🏽", "👍", "❤", "a", "报", "🔥", "💻");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const shown = evenEmoji(text);
      // A tone on its own, with nothing that it could colour, is a picture of its own.
      fc.pre(!shown.includes("🏽"));
      expect(visibleWidth(shown)).toBe(
        [...shown].reduce((sum, character) => sum + visibleWidth(character), 0),
      );
    }),
  );
});
