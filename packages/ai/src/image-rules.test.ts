import { expect, test } from "vitest";
import { imageRuleOf } from "./image-rules.ts";

test("a model has the limits of its wire format", () => {
  expect(imageRuleOf({ api: "google-generative-ai" })).toMatchObject({ maxImages: 3000 });
  expect(imageRuleOf({ api: "google-generative-ai" }).mimeTypes).not.toContain("image/gif");
});

test("its own limits win; many images are never allowed to be larger than few", () => {
  const rule = imageRuleOf({ api: "anthropic-messages", imageLimits: { maxImages: 600, maxSidePx: 1568 } });
  expect(rule).toMatchObject({ maxImages: 600, maxSidePx: 1568, maxSidePxOfMany: 1568, manyImages: 20 });
});

test("a format that is not known is taken for a strict one", () => {
  expect(imageRuleOf({ api: "toString" })).toEqual(imageRuleOf({ api: "anthropic-messages" }));
});
