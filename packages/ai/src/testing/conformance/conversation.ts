import assert from "node:assert/strict";
import { type Client, createClient, type ProviderSource } from "../../client.ts";
import { type AssistantMessage, type Message, toolCallsOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { ToolSpec } from "../../tool-schema.ts";
import { type ScriptedBlock, scriptedText, scriptedThinking, scriptedToolCall } from "../scripted-answer.ts";
import type { WireAnswer } from "../wire-server/wire-answer.ts";
import { createWireServer, type WireServer, type WireServerOptions } from "../wire-server/wire-server.ts";

export interface ConversationOptions {
  /** Wire API → provider; must know both ends. */
  readonly providers: Readonly<Record<string, ProviderSource>>;
  /** API of the model that the conversation begins with, and comes back to. */
  readonly from: string;
  /** API of the model that it goes on with in between. */
  readonly to: string;
  /** How strict the server is beyond its defaults. */
  readonly server?: Partial<WireServerOptions>;
}

/** What a conversation was made of: its messages in order, and the server that saw the requests (closed). */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly server: WireServer;
}

const PIXEL = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

const TOOL: ToolSpec = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as never,
};

const twoReads = (one: string, other: string): readonly ScriptedBlock[] => [
  scriptedThinking(`I need ${one} and ${other}.`),
  scriptedText("Reading both."),
  scriptedToolCall("read", { path: one }),
  scriptedToolCall("read", { path: other }),
];

/**
 * One conversation over two wire APIs: text, thinking, two parallel calls with results, an image, a switch to the other
 * model, an abort, and back, with one switch in the middle of a tool turn and a late system message.
 *
 * Rejects with an assertion error where an answer is not what the script said or the server refused a request.
 */
export async function converse({
  providers,
  from,
  to,
  server: strictness,
}: ConversationOptions): Promise<Conversation> {
  await using server = await createWireServer({ thoughtSignatures: "required", ...strictness, answers: [] });
  const client = createClient({ providers, apiKeyFor: () => server.apiKey });
  const first = server.model(from, { id: "first", quirks: { supportsMidConvoSystemMessages: true } });
  const second = server.model(to, { id: "second" });
  const talk = new Talk(client, server);

  await talk.ask(first, "hello", "Hello.");
  await talk.ask(first, "think about it", [scriptedThinking("Deeply."), scriptedText("I thought.")]);
  await talk.ask(first, "compare a and b", twoReads("a", "b"));
  talk.answerCalls();
  await talk.goOn(first, "They differ.");
  await talk.ask(first, [{ type: "text", text: "and this?" }, PIXEL], "A pixel.");

  await talk.ask(second, "now you", twoReads("c", "d"));
  talk.answerCalls(PIXEL);
  await talk.goOn(second, [scriptedThinking("Both."), scriptedText("Alike.")]);
  await talk.abort(second, "tell me all", "This is a long answer that nobody hears to its end.");
  await talk.ask(second, "go on", "Shorter.");

  await talk.ask(first, "back to you", twoReads("e", "f"));
  talk.answerCalls();
  await talk.goOn(second, "Taken over in the middle.");
  talk.instruct("Be kind, too.");
  await talk.ask(first, "done?", "Done.");

  assert.deepEqual(server.rejections, [], "a request was refused");
  assert.deepEqual(server.overflows, [], "a request was too long");
  return { messages: talk.messages, server };
}

type Content = Extract<Message, { role: "user" }>["content"];

/** The history so far, and the next step in it. */
class Talk {
  readonly messages: Message[] = [];
  readonly #client: Client;
  readonly #server: WireServer;

  constructor(client: Client, server: WireServer) {
    this.#client = client;
    this.#server = server;
  }

  async ask(model: Model, content: Content, answer: string | readonly ScriptedBlock[]): Promise<void> {
    this.#say(content);
    await this.goOn(model, answer);
  }

  /** Sends the history as it is and checks that the answer is the scripted one. */
  async goOn(model: Model, answer: string | readonly ScriptedBlock[]): Promise<void> {
    const content = typeof answer === "string" ? [scriptedText(answer)] : answer;
    const message = await this.#send(model, { content });
    const calls = content.some((block) => block.type === "toolCall");
    assert.equal(message.stopReason, calls ? "toolUse" : "stop", message.errorMessage);
    assert.deepEqual(message.content.map(plain), content.map(plain));
  }

  /** Answers every call of the last message, the last one with an image where one is given. */
  answerCalls(image?: typeof PIXEL): void {
    const last = this.messages.at(-1);
    assert.ok(last?.role === "assistant");
    const calls = toolCallsOf(last);
    for (const [index, call] of calls.entries()) {
      const isLast = index === calls.length - 1;
      this.messages.push({
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content: [
          { type: "text", text: `Content of ${call.arguments.path}` },
          ...(isLast && image ? [image] : []),
        ],
        isError: false,
        timestamp: this.messages.length,
      });
    }
  }

  /** Stops an answer after its first words; what had come stays in the history. */
  async abort(model: Model, content: Content, answer: string): Promise<void> {
    this.#say(content);
    const controller = new AbortController();
    const gate = (deltaIndex: number) => {
      if (deltaIndex < 2) return undefined;
      controller.abort();
      return Promise.withResolvers<void>().promise;
    };
    const scripted: WireAnswer = { content: [scriptedText(answer)], pace: { chunkSize: 5, gate } };
    const message = await this.#send(model, scripted, controller.signal);
    assert.equal(message.stopReason, "aborted", message.errorMessage);
  }

  /** A system message in the middle: it stays there where the API and the model have a place for it. */
  instruct(content: string): void {
    this.messages.push({ role: "system", content, timestamp: this.messages.length });
  }

  #say(content: Content): void {
    this.messages.push({ role: "user", content, timestamp: this.messages.length });
  }

  async #send(model: Model, answer: WireAnswer, signal?: AbortSignal): Promise<AssistantMessage> {
    this.#server.push(answer);
    const message = await this.#client.complete({
      model,
      messages: this.messages,
      systemPrompt: "Be brief.",
      tools: [TOOL],
      thinkingLevel: "medium",
      sessionId: "conversation",
      cacheRetention: "short",
      ...(signal === undefined ? {} : { signal }),
    });
    this.messages.push(message);
    return message;
  }
}

/** A block without the ids and signatures that only its server knows. */
function plain(block: AssistantMessage["content"][number] | ScriptedBlock): unknown {
  if (block.type === "text") return { type: block.type, text: block.text };
  if (block.type === "thinking") return { type: block.type, thinking: block.thinking };
  return { type: block.type, name: block.name, arguments: block.arguments };
}
