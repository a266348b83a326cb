import { buildContext, buildContextEntries } from "@coppice/session";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "./estimate.ts";
import { planMasking } from "./mask.ts";
import { type PathBuilder, pathBuilder } from "./testing/index.ts";

const body = (marker: string) => `${marker} ${"line of output\n".repeat(400)}`;

function plan(builder: PathBuilder, triggerTokens = 10_000, keepRecentTokens = 2000) {
  const { entries, messages } = buildContext(builder.path);
  const contextTokens = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
  return planMasking({ entries, contextTokens, triggerTokens, keepRecentTokens });
}

function reads(...paths: readonly string[]): PathBuilder {
  const builder = pathBuilder();
  builder.user("Read them all");
  paths.forEach((path, index) => {
    builder.toolCall(`t${index}`, "read", { path });
    builder.toolResult(`t${index}`, body(`${path} version ${index}`));
  });
  return builder;
}

describe("planMasking", () => {
  test("old results keep head, tail and error lines; the newest stay whole", () => {
    const builder = reads("a", "b", "c", "d", "e", "f", "g");
    const first = builder.path[2]?.id ?? "";
    const masked = plan(builder);
    expect(masked.map(({ targetId }) => targetId)).not.toContain(builder.path.at(-1)?.id);
    expect(masked[0]?.targetId).toBe(first);
    expect(masked[0]?.text).toMatch(
      /^a version 0 [\s\S]*\[Masked to free context: \d+ characters[\s\S]*line of output\n$/,
    );
  });

  test("old images give way to a note with the text beside them, and two images are not the same result", () => {
    const builder = pathBuilder();
    builder.user("Look at them all");
    const targets = ["one", "two", "three", "four"].map((name, index) => {
      builder.toolCall(`t${index}`, "screenshot", {});
      const image = { type: "image", data: `DATA${name}`, mimeType: "image/png" } as const;
      const text = index === 0 ? [] : [{ type: "text", text: `Picture ${name}.` } as const];
      return builder.toolResult(`t${index}`, "", { toolName: "screenshot", content: [...text, image] });
    });
    expect(plan(builder, 6000, 2000)).toEqual([
      {
        targetId: targets[0],
        text: "[Masked to free context: 1 image of an old result not shown. Run the tool again to see the whole.]",
      },
      {
        targetId: targets[1],
        text: "Picture two.\n\n[Masked to free context: 1 image of an old result not shown. Run the tool again to see the whole.]",
      },
    ]);
  });

  test("a read that a later one of the same file supersedes becomes one line", () => {
    const masked = plan(reads("a", "b", "a", "c", "d", "e", "f"));
    expect(masked[0]?.text).toBe(
      "[Masked to free context: a was read or changed again later. The session file keeps the whole result.]",
    );
  });

  test("nothing is masked where that would free too little", () => {
    expect(plan(reads("a", "b", "c"))).toEqual([]);
    expect(plan(reads("a", "b", "c", "d"), 100_000)).toEqual([]);
  });

  test("a masked result is not masked again, and the context is smaller by what was promised", () => {
    const builder = reads("a", "b", "c", "d", "e", "f", "g");
    const masked = plan(builder);
    for (const { targetId, text } of masked)
      builder.entry("context_edit", { targetId, replacement: { content: text } });
    expect(plan(builder)).toEqual([]);
    const { entries } = buildContextEntries(builder.path);
    expect(
      entries.flatMap(({ messages }) => messages).reduce((sum, m) => sum + estimateTokens(m), 0),
    ).toBeLessThan(6000);
  });
});
