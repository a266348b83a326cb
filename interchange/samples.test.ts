import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { userMessage } from "@coppice/session/testing";
import { describe, expect, test } from "vitest";
import { coppiceView, piView } from "./pi-view.ts";
import { ScratchFolder, samples } from "./scratch-folder.ts";

/** Ids of a version-1 file are made up by whoever reads it. */
function withoutIds<View extends { readonly path: readonly string[] }>(view: View): object {
  return { ...view, path: view.path.length };
}

describe.each(samples.map((path) => [basename(path), path]))("%s", (name, sample) => {
  const comparable = name.includes("v1-input") ? withoutIds : (view: object) => view;

  test("renders to the context that pi builds, message by message, at the same position", async () => {
    await using folder = await ScratchFolder.create();
    const ours = await folder.repo().open(await folder.copyOf(sample), { readOnly: true });
    const theirs = piView(await folder.copyOf(sample, "pi.jsonl"));
    expect(comparable(await coppiceView(ours))).toEqual(comparable(theirs));
    expect(theirs.messages.length).toBeGreaterThan(0);
  });

  test("renders alike at every entry of every branch", async () => {
    await using folder = await ScratchFolder.create();
    if (name.includes("v1-input")) return;
    const path = await folder.copyOf(sample);
    const session = await folder.repo().open(path);
    for (const { id, type } of await session.getEntries()) {
      if (type === "label" || type === "session_info" || type === "usage") continue;
      await session.moveTo(id);
      expect(piView(await folder.copyOf(path, `at-${id}.jsonl`))).toEqual(await coppiceView(session));
    }
  });

  test("continued by Coppice is read by pi with the new message, and pi's lines are still there", async () => {
    await using folder = await ScratchFolder.create();
    const path = await folder.copyOf(sample);
    const session = await folder.repo().open(path);
    await session.appendMessage(userMessage("continued"));
    const view = await coppiceView(session);
    await session.close();
    expect(piView(path)).toEqual(view);
    expect(view.messages.at(-1)).toEqual(userMessage("continued"));
    if (name.startsWith("pi-")) {
      expect((await readFile(path, "utf8")).startsWith(await readFile(sample, "utf8"))).toBe(true);
    }
  });
});

test("SE-19: a file that pi migrated and one that Coppice reads as it was hold the same conversation", async () => {
  for (const sample of samples.filter((path) => path.includes("-input"))) {
    await using folder = await ScratchFolder.create();
    const original = await folder.repo().open(await folder.copyOf(sample, "original.jsonl"));
    const migrated = await folder.copyOf(sample, "migrated.jsonl");
    piView(migrated);
    const after = await folder.repo().open(migrated);
    expect(withoutIds(await coppiceView(original))).toEqual(withoutIds(await coppiceView(after)));
  }
});
