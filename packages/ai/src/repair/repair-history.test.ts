import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyHistory, TARGET } from "../../test/arbitrary-history.ts";
import { imageRuleOf } from "../image-rules.ts";
import type { AssistantMessage, Message } from "../message.ts";
import { toolCallsOf } from "../message.ts";
import type { Model } from "../model.ts";
import { ZERO_USAGE } from "../usage.ts";
import { INTERRUPTED_TEXT } from "./failed-turns.ts";
import { IMAGE_PLACEHOLDER_TEXT } from "./images.ts";
import { repairHistory } from "./repair-history.ts";
import { MISSING_RESULT_TEXT } from "./tool-results.ts";

const RULE = { alphabet: "a-zA-Z0-9_-", maxLength: 64 };
const repair = (messages: readonly Message[], model = TARGET) =>
  repairHistory({ model, messages }, { toolCallIds: RULE }).messages;

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const assistant = (
  content: AssistantMessage["content"],
  patch: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  api: TARGET.api,
  provider: TARGET.provider,
  model: TARGET.id,
  usage: ZERO_USAGE,
  stopReason: "stop",
  timestamp: 2,
  ...patch,
});
const call = (id: string) => ({ type: "toolCall", id, name: "read", arguments: { path: "a" } }) as const;
const result = (toolCallId: string, text: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 3,
});
const text = (value: string) => ({ type: "text", text: value }) as const;

describe("any history becomes one that an API accepts", () => {
  test("AI-02, B120: the results after an answer are exactly its calls, each id once, in order", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const messages = repair(history);
        const seen = new Set<string>();
        for (const [at, message] of messages.entries()) {
          if (message.role !== "assistant") continue;
          const ids = toolCallsOf(message).map(({ id }) => id);
          const answers = messages.slice(at + 1, at + 1 + ids.length);
          expect(answers.map((answer) => answer.role === "toolResult" && answer.toolName)).toEqual(
            toolCallsOf(message).map(({ name }) => name),
          );
          expect(answers.map((answer) => answer.role === "toolResult" && answer.toolCallId)).toEqual(ids);
          for (const id of ids) {
            expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
            expect(seen.has(id)).toBe(false);
            seen.add(id);
          }
        }
        const calls = messages.flatMap((message) =>
          message.role === "assistant" ? toolCallsOf(message) : [],
        );
        expect(messages.filter((message) => message.role === "toolResult")).toHaveLength(calls.length);
      }),
    );
  });

  test("AI-08, B127, B128: no blank text, no message without content, no system message", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        for (const message of repair(history)) {
          expect(message.role).not.toBe("system");
          const blocks = typeof message.content === "string" ? [text(message.content)] : message.content;
          expect(blocks.length).toBeGreaterThan(0);
          for (const block of blocks) if (block.type === "text") expect(block.text.trim()).not.toBe("");
        }
      }),
    );
  });

  test("B136: all text is valid Unicode, what the target signed itself excepted", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const unsigned = repair(history).map((message) =>
          message.role === "assistant"
            ? { ...message, content: message.content.filter((block) => block.type !== "thinking") }
            : message,
        );
        expect(JSON.stringify(unsigned)).not.toMatch(/\\ud[89a-f][0-9a-f]{2}/i);
      }),
    );
  });

  test("AI-04, B111: no other model's thinking is left", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        for (const message of repair(history)) {
          if (message.role !== "assistant" || (message.model === TARGET.id && message.api === TARGET.api))
            continue;
          expect(message.content.filter((block) => block.type === "thinking")).toEqual([]);
        }
      }),
    );
  });

  test("it changes nothing when done again", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const once = repair(history);
        expect(repair(once)).toEqual(once);
      }),
    );
  });

  test("AI-48: a longer history repairs its answered beginning alike", () => {
    fc.assert(
      fc.property(anyHistory, anyHistory, (beginning, rest) => {
        // What is appended must not answer calls of the beginning: those would change it by right.
        const later = rest.filter((message) => message.role !== "toolResult");
        const short = repair(beginning);
        expect(repair([...beginning, ...later]).slice(0, short.length)).toEqual(short);
      }),
    );
  });
});

describe("what a session went through", () => {
  test("B121: calls that were stopped get an error result, before the next prompt", () => {
    const messages = repair([
      user("go"),
      assistant([call("t1"), call("t2")], { stopReason: "toolUse" }),
      user("hi"),
      result("t1", "one"),
    ]);
    expect(messages.slice(2)).toEqual([
      result("t1", "one"),
      { ...result("t2", MISSING_RESULT_TEXT), isError: true, timestamp: 2 },
      user("hi"),
    ]);
  });

  test("B126: ids that are equal in their first 64 characters stay apart, and results follow their calls", () => {
    const long = `${"a".repeat(64)}1`;
    const other = `${"a".repeat(64)}2`;
    const [, answer, first, second] = repair([
      user("go"),
      assistant([call(long), call(other)]),
      result(long, "one"),
      result(other, "two"),
    ]);
    const ids = answer?.role === "assistant" ? toolCallsOf(answer).map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
    expect(first).toEqual(result(ids[0] ?? "", "one"));
    expect(second).toEqual(result(ids[1] ?? "", "two"));
  });

  test("AI-03: one id used in two answers names two calls", () => {
    const messages = repair([
      user("go"),
      assistant([call("t1")]),
      result("t1", "a"),
      assistant([call("t1")]),
      result("t1", "b"),
    ]);
    const ids = messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
    expect(ids[0]).toBe("t1");
    expect(ids[1]).not.toBe("t1");
  });

  test("AI-01: a failed answer is left out with its results; a stopped one keeps its visible text", () => {
    const messages = repair([
      user("go"),
      assistant([text("half"), call("t1")], { stopReason: "error" }),
      result("t1", "never"),
      assistant([{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, text("I was"), call("t2")], {
        stopReason: "aborted",
      }),
      result("t2", "stopped"),
    ]);
    expect(messages).toEqual([
      user("go"),
      assistant([text(`I was\n\n${INTERRUPTED_TEXT}`)], { stopReason: "aborted" }),
    ]);
  });

  test("B117: a stopped answer with reasoning alone is skipped", () => {
    const thinking = { type: "thinking", thinking: "hm" } as const;
    expect(repair([user("a"), assistant([thinking], { stopReason: "aborted" }), user("b")])).toEqual([
      user("a"),
      user("b"),
    ]);
  });

  test("AI-05, B115: the model's own signed turn comes back byte for byte and in order", () => {
    const own = assistant([
      { type: "thinking", thinking: "", thinkingSignature: "s1" },
      text(" spaced "),
      call("t1"),
      { type: "thinking", thinking: "cut \ud83d", thinkingSignature: "s2" },
      { type: "thinking", thinking: "", thinkingSignature: "enc", redacted: true },
      call("t2"),
    ]);
    expect(repair([user("go"), own, result("t1", "a"), result("t2", "b")])[1]).toEqual(own);
  });

  test("AI-07: a relay that reports another model does not make a turn foreign", () => {
    const own = assistant([{ type: "thinking", thinking: "x", thinkingSignature: "s" }, text("y")], {
      responseModel: "other",
    });
    expect(repair([user("go"), own])[1]).toEqual(own);
  });

  test("B135, AI-12: a text model gets one placeholder for a row of images, and the history keeps them", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
    const history: Message[] = [{ role: "user", content: [text("see"), image, image], timestamp: 1 }];
    expect(repair(history, { ...TARGET, input: ["text"] })).toEqual([
      { role: "user", content: [text("see"), text(IMAGE_PLACEHOLDER_TEXT)], timestamp: 1 },
    ]);
    expect(repair(history)).toEqual(history);
  });

  test.each([
    { name: "with the rule of its format", images: imageRuleOf({ api: "google-generative-ai" }) },
    { name: "without one", images: undefined },
  ])("a model that takes one image gets the newest one, $name", ({ images }) => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
    const model: Model = { ...TARGET, input: ["text", "image"], imageLimits: { maxImages: 1 } };
    const messages: Message[] = [{ role: "user", content: [image, image], timestamp: 1 }];
    const [first] = repairHistory({ model, messages }, { images }).messages;
    expect(first?.content).toEqual([
      text("[An older image was here; a request can only hold so many.]"),
      image,
    ]);
  });

  test("B130: a silent tool gets a placeholder that does not speak of images", () => {
    expect(repair([user("go"), assistant([call("t1")]), result("t1", "")])[2]).toEqual(
      result("t1", "(no output)"),
    );
  });

  test("B127: content that is null or a string in an imported file is read", () => {
    const imported = [
      { ...user("x"), content: null },
      { ...assistant([]), content: null },
      { ...assistant([]), content: "plain" },
    ] as unknown as Message[];
    expect(repair([user("go"), ...imported])).toEqual([user("go"), assistant([text("plain")])]);
  });

  test("B240: a name that the model made up is sent in a form that APIs accept", () => {
    const messages = repair([
      user("go"),
      assistant([
        { ...call("t1"), name: "" },
        { ...call("t2"), name: "a b/ü" },
      ]),
    ]);
    const names = messages.flatMap((message) => (message.role === "toolResult" ? [message.toolName] : []));
    expect(names).toEqual(["unknown_tool", "a_b__"]);
  });

  test("B138: an empty list of tools is left out", () => {
    expect(repairHistory({ model: TARGET, messages: [user("go")], tools: [] })).toEqual({
      model: TARGET,
      messages: [user("go")],
    });
  });

  test("system messages fold into the prompt and the tools in force", () => {
    const tool = (name: string) => ({ name, description: name, parameters: { type: "object" } });
    const folded = repairHistory({
      model: TARGET,
      systemPrompt: "base",
      tools: [tool("a")],
      messages: [
        {
          role: "system",
          content: "one",
          sections: { s: "old", gone: "x" },
          toolsAdded: [tool("b")],
          timestamp: 1,
        },
        user("go"),
        {
          role: "system",
          content: "",
          sections: { s: "new", gone: null },
          toolsRemoved: [{ name: "a" }],
          timestamp: 2,
        },
      ],
    });
    expect(folded).toEqual({
      model: TARGET,
      systemPrompt: "base\n\none\n\nnew",
      tools: [tool("b")],
      messages: [user("go")],
    });
  });

  describe("system messages in place", () => {
    const newer = { ...TARGET, quirks: { supportsMidConvoSystemMessages: true } };
    const system = (content: string, more: object = {}): Message =>
      ({ role: "system", content, timestamp: 7, ...more }) as Message;
    const settled = (messages: readonly Message[]) => {
      const { model: _, ...rest } = repairHistory(
        { model: newer, systemPrompt: "base", messages },
        { takesSystemMessages: true },
      );
      return rest;
    };

    test("one that comes before the user's turn, or between its results, stands behind it", () => {
      const calls = assistant([call("t1"), call("t2")]);
      expect(
        settled([user("go"), calls, result("t1", "1"), system("new rule"), result("t2", "2"), user("and?")]),
      ).toEqual({
        systemPrompt: "base",
        messages: [user("go"), calls, result("t1", "1"), result("t2", "2"), user("and?"), system("new rule")],
      });
    });

    test("several of one place become one; blank ones go; the history before keeps its place", () => {
      const before = [user("go"), assistant([text("done")])];
      expect(settled([...before, system("a"), user("next"), system(" "), system("b \ud800")])).toEqual({
        systemPrompt: "base",
        messages: [...before, user("next"), system("a\n\nb \ufffd")],
      });
    });

    test("one between two answers waits for the user's next turn, and goes to the head where none follows", () => {
      const answers = [assistant([text("one")]), assistant([text("two")])] as const;
      const between = [user("go"), answers[0], system("late"), answers[1]];
      expect(settled([...between, user("and?")])).toEqual({
        systemPrompt: "base",
        messages: [user("go"), ...answers, user("and?"), system("late")],
      });
      expect(settled(between)).toEqual({
        systemPrompt: "base\n\nlate",
        messages: [user("go"), ...answers],
      });
    });

    test("the first ones, and those that replace sections or tools, go to the head", () => {
      expect(
        settled([system("first"), user("go"), system("more", { sections: { s: "sec" } }), system("stays")]),
      ).toEqual({
        systemPrompt: "base\n\nfirst\n\nmore\n\nsec",
        messages: [user("go"), system("stays")],
      });
    });

    test("all go to the head where the model or the format has no place for them", () => {
      const messages = [user("go"), system("late")];
      const head = { systemPrompt: "late", messages: [user("go")] };
      expect(repairHistory({ model: newer, messages })).toEqual({ model: newer, ...head });
      expect(repairHistory({ model: TARGET, messages }, { takesSystemMessages: true })).toEqual({
        model: TARGET,
        ...head,
      });
    });
  });
});
