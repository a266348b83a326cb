import { expect, test } from "vitest";
import { contentParts } from "./content-parts.ts";

const image = (data: string, mimeType = "image/png") => contentParts([{ type: "image", mimeType, data }]);
const omitted = (reason: string) => [{ type: "omitted", reason }];

test("an image is embedded as base64 of a known type, and what is not is named with its size", () => {
  expect(image("iVBO\nRw0K\n")).toEqual([{ type: "image", mimeType: "image/png", data: "iVBORw0K" }]);
  expect(image("AAAA", "image/svg+xml")).toEqual(
    omitted("image of type image/svg+xml, 3 bytes: this type is not embedded"),
  );
  expect(image("A".repeat(16_000_000))).toEqual(
    omitted("image of type image/png, 11.4 MB: too large to embed"),
  );
  expect(image('"><script>', "image/gif")).toEqual(
    omitted("image of type image/gif, 7 bytes: not valid base64"),
  );
});

test("blanks in the data of a stranger take a time that grows with their number alone", () => {
  expect(image(`A${" ".repeat(8_000_000)}!`)).toEqual(
    omitted("image of type image/png, 5.7 MB: not valid base64"),
  );
});
