import type { AnyAgentTool } from "@coppice/agent";
import type { AssistantContent, ImageContent, ImageLimits, Message } from "@coppice/ai";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { MemoryRepo } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createCodingAgent } from "../create-coding-agent.ts";
import { wholePng } from "../testing/image-bytes.ts";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
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

/** A model as the scenario's, that takes only images like these. */
const withLimits = (imageLimits: ImageLimits) => scriptedModel({ imageLimits });

/** One pixel. */
const TINY_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

test("TO-05: a model with smaller limits gets smaller images of the same history; the session keeps its own", async () => {
  const { agent, model } = await createScenario({ answers: ["a", "b", "c"] });
  await agent.prompt("look", { images: [WIDE] });
  await agent.setModel(withLimits({ maxSidePx: 500 }));
  await agent.prompt("again", { images: [WIDE] });
  await agent.setModel(withLimits({ maxSidePx: 700 }));
  await agent.prompt("and again");
  expect(model.requests.map(({ messages }) => shown(messages))).toEqual([[2000], [500, 500], [700, 500]]);
  expect(shown((await agent.getContext()).messages as readonly Message[])).toEqual([2000, 500]);
});

test("TO-05: an image of a type that the model does not take becomes one that it takes", async () => {
  const gif: ImageContent = { type: "image", mimeType: "image/gif", data: TINY_GIF };
  const { agent, model } = await createScenario({ answers: ["a", "b"] });
  await agent.prompt("look", { images: [gif] });
  await agent.setModel(withLimits({ mimeTypes: ["image/png", "image/jpeg"] }));
  await agent.prompt("again");
  const types = model.requests.map(({ messages }) => JSON.stringify(messages).match(/image\/\w+/g));
  expect(types).toEqual([["image/gif"], ["image/png"]]);
});

test("TO-05: read says the size that the model gets", async () => {
  const environment = createMemoryEnvironment({
    files: { "/project/wide.png": wholePng({ width: 2100, height: 21 }) },
  });
  const model = scriptedStream([scriptedToolCall("read", { path: "wide.png" }), "done"]);
  const agent = await createCodingAgent({
    ...{ cwd: "/project", environment, streamFunction: model },
    model: withLimits({ maxSidePx: 500 }),
  });
  await agent.setModel(withLimits({ maxSidePx: 210 }));
  await agent.prompt("look");
  const messages = model.requests.at(-1)?.messages ?? [];
  expect(shown(messages)).toEqual([210]);
  expect(JSON.stringify(messages)).toContain("of 2100x21, shown as image/png of 210x2]");
  await agent.dispose();
});
