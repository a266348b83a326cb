import type { AnyAgentTool } from "@coppice/agent";
import type { AssistantContent, ImageContent, Message } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { MemoryRepo } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { wholePng } from "../testing/image-bytes.ts";
import { createScenario } from "../testing/scenario.ts";
import { checkImage } from "../text/image-size.ts";

const block = (data: Uint8Array): ImageContent => ({
  ...{ type: "image", mimeType: "image/png" },
  data: Buffer.from(data).toString("base64"),
});
const SMALL = block(wholePng({ width: 3, height: 3 }));
const WIDE = block(wholePng({ width: 2100, height: 21 }));
const BROKEN = { ...SMALL, data: "bm8gaW1hZ2U=" };

/** The widths of the images of messages, and the notes in place of others. */
function shown(messages: readonly Message[]): readonly (number | string)[] {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : ([...content] as Part[]),
  );
  return parts.flatMap((part): readonly (number | string)[] => {
    if (part.type === "text") return /^\[An image.*$/.exec(part.text)?.slice(0, 1) ?? [];
    if (part.type !== "image") return [];
    const size = checkImage(Buffer.from(part.data, "base64"), part.mimeType);
    return "problem" in size ? [] : [size.width];
  });
}

type Part = AssistantContent | ImageContent;

const NOTE = "[An image was here that cannot be used: it is no PNG, JPEG, GIF or WebP.]";

test("TO-05, MC-05: images of any tool and of the user are fitted before they are stored", async () => {
  const camera: AnyAgentTool = {
    ...{ name: "camera", description: "Takes pictures.", parameters: Type.Object({}) },
    execute: async () => ({ content: [SMALL, WIDE, BROKEN] }),
  };
  const { agent, model } = await createScenario({
    tools: [camera],
    answers: [scriptedToolCall("camera", {}), "done"],
  });
  await agent.prompt("look", { images: [WIDE, BROKEN, SMALL] });
  const stored = (await agent.getContext()).messages as readonly Message[];
  expect(shown(stored).toSorted()).toEqual([2000, 2000, 3, 3, NOTE]);
  expect(JSON.stringify(stored)).toContain(`look\\n\\n${NOTE}`);
  expect(shown(model.requests.at(-1)?.messages ?? [])).toEqual(shown(stored));
});

test("TO-05: an image that a session brings along is fitted in the request, and stays as it is in the session", async () => {
  const session = await new MemoryRepo({ now: () => 0 }).create({ cwd: "/project" });
  await session.appendMessage({ role: "user", content: [{ type: "text", text: "old" }, WIDE], timestamp: 1 });
  const { agent, model } = await createScenario({ session, answers: ["a", "b"] });
  await agent.prompt("one");
  await agent.prompt("two");
  expect(model.requests.map(({ messages }) => shown(messages))).toEqual([[2000], [2000]]);
  expect(shown((await agent.getContext()).messages as readonly Message[])).toEqual([2100]);
});

test("TO-05: a queued image is fitted as well", async () => {
  const { agent, model } = await createScenario({
    answers: [
      () => {
        agent.followUp("and this", { images: [WIDE] });
        return "first";
      },
      "second",
    ],
  });
  await agent.prompt("go");
  expect(shown(model.requests.at(-1)?.messages ?? [])).toEqual([2000]);
});
