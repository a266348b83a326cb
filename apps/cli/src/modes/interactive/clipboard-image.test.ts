import { readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { clipboardImageMention } from "./clipboard-image.ts";

const bytes = new Uint8Array([137, 80, 78, 71]);

test("UI-20: an image of the clipboard is a file that its owner alone can read, and a mention of it", async () => {
  const mention = await clipboardImageMention({ getImage: async () => bytes });
  const path = mention?.slice(1) ?? "";
  onTestFinished(() => rm(dirname(path), { recursive: true, force: true }));
  expect(mention).toMatch(/^@\S+clipboard\.png$/);
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("UI-20: a clipboard without an image gives nothing", async () => {
  expect(await clipboardImageMention({ getImage: async () => null })).toBeUndefined();
  expect(await clipboardImageMention({ getImage: async () => new Uint8Array() })).toBeUndefined();
});

test("UI-20: a clipboard that fails is told, and one that hangs is told after five seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const broken = clipboardImageMention({ getImage: () => Promise.reject(new Error("no display")) });
  await expect(broken).rejects.toThrow("no display");
  expect(vi.getTimerCount()).toBe(0);
  const hanging = clipboardImageMention({ getImage: () => new Promise(() => {}) });
  const told = expect(hanging).rejects.toThrow("The clipboard does not answer.");
  await vi.advanceTimersByTimeAsync(5_000);
  await told;
});
