import { expect, test } from "vitest";
import { mcpToolResult } from "./tool-result.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (value: string) => ({ type: "text", text: value });
const image = (data: unknown, mimeType: unknown = "image/png") => ({ type: "image", data, mimeType });

test.each([
  { name: "text", item: text("hello"), shown: text("hello") },
  { name: "an image", item: image(PNG), shown: image(PNG) },
  { name: "an image that lies about its type", item: image(PNG, "image/jpeg"), shown: image(PNG) },
  {
    name: "a resource with text",
    item: { type: "resource", resource: { uri: "file:///a", text: "A" } },
    shown: text("[file:///a]\nA"),
  },
  {
    name: "a resource that is an image",
    item: { type: "resource", resource: { blob: PNG } },
    shown: image(PNG),
  },
  {
    name: "a link",
    item: { type: "resource_link", uri: "https://example.org" },
    shown: text("[Link: https://example.org]"),
  },
])("$name is shown", ({ item, shown }) => {
  expect(mcpToolResult({ content: [item] })).toEqual({ content: [shown], isError: false });
});

test.each([
  { name: "base64 that is none", item: image("not base64!") },
  { name: "base64 of the wrong length", item: image("abc") },
  { name: "an image without data", item: image(undefined) },
  { name: "a text called an image", item: image(Buffer.from("hello, image").toString("base64")) },
  { name: "a torn png", item: image(Buffer.from(PNG, "base64").subarray(0, 40).toString("base64")) },
  { name: "sound", item: { type: "audio", data: PNG, mimeType: "audio/wav" } },
  { name: "an unknown type", item: { type: "hologram" } },
  { name: "no object", item: 7 },
  { name: "a text without text", item: { type: "text" } },
  { name: "a resource that is no text", item: { type: "resource", resource: { uri: "x:y", blob: "AAAA" } } },
])("MC-05: $name is never stored: a word stands in its place", ({ item }) => {
  const { content } = mcpToolResult({ content: [item, text("and more")] });
  expect(content).toEqual([
    { type: "text", text: expect.stringMatching(/^\[Left out: .*\]$/) },
    { type: "text", text: "and more" },
  ]);
});

test("an answer without content shows what is structured, and one without anything says so", () => {
  expect(mcpToolResult({ content: [], structuredContent: { a: 1 } }).content).toEqual([
    text('{\n "a": 1\n}'),
  ]);
  expect(mcpToolResult({}).content).toEqual([text("(no content)")]);
  expect(mcpToolResult({ content: "odd", isError: true })).toEqual({
    content: [text("(no content)")],
    isError: true,
  });
});

test("all texts together are limited, characters stay whole, and the rest is named", () => {
  const { content } = mcpToolResult({
    content: [text("a\n".repeat(1999)), text("é".repeat(60_000)), text("x")],
  });
  const texts = content.map((block) => (block.type === "text" ? block.text : ""));
  expect(texts.slice(0, -1).join("")).toMatch(/^(a\n){1998}a?\n?$/);
  expect(texts.at(-1)).toMatch(/^\[Cut: .* more\. Ask the tool for less, or for another part\.\]$/);
  const wide = mcpToolResult({ content: [text("é".repeat(60_000))] }).content[0];
  expect(wide?.type === "text" && wide.text).toMatch(/^é+$/);
});

test("more than ten images are too many", () => {
  const { content } = mcpToolResult({ content: Array.from({ length: 12 }, () => image(PNG)) });
  expect(content.filter(({ type }) => type === "image")).toHaveLength(10);
  expect(content.slice(10)).toEqual([
    text("[Left out: one of more than 10 images.]"),
    text("[Left out: one of more than 10 images.]"),
  ]);
});
