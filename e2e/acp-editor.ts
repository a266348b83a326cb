import { Writable } from "node:stream";
import {
  type ClientContext,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { createWireServer, type WireAnswers } from "@coppice/ai/testing";
import { describeServer } from "./own-server.ts";
import { createPlayground, type Playground, startCoppice } from "./spawn-coppice.ts";

const API = "anthropic-messages";

/** An editor, and what it was told and asked. */
export interface Editor {
  readonly agent: ClientContext;
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
}

export interface EditorOptions {
  readonly playground: Playground;
  readonly args?: readonly string[];
  /** What the editor's user says to every permission question; default: allows. */
  readonly choose?: (request: RequestPermissionRequest) => string | undefined;
}

/** An editor, as the SDK's own client, with the launched program at the other end; resolves with its exit code. */
export async function withEditor(options: EditorOptions, work: (editor: Editor) => Promise<void>) {
  const { playground, args = ["--model", "wire/wire-1"], choose = () => "allow_once" } = options;
  const { child, ended } = startCoppice({ playground, args: [...args, "--mode", "acp"], stdin: null });
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const app = client({ name: "test editor" })
    .onNotification("session/update", ({ params }: { readonly params: SessionNotification }) => {
      updates.push(params.update);
    })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const optionId = choose(params);
      return {
        outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
      };
    });
  if (child.stdin === null || child.stdout === null) throw new Error("no pipes");
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    bytesOf(child.stdout),
  );
  try {
    await app.connectWith(stream, (agent) => work({ agent, updates, asked }));
    child.stdin.end();
  } catch (error) {
    child.kill();
    throw error;
  }
  return ended;
}

/** What a process says; whoever started it reads it as text already. */
function bytesOf(output: NodeJS.ReadableStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isWanted = true;
  return new ReadableStream({
    start(controller) {
      output.on("data", (text: string) => isWanted && controller.enqueue(encoder.encode(text)));
      output.on("end", () => isWanted && controller.close());
    },
    cancel() {
      isWanted = false;
    },
  });
}

/** What an editor says first. */
export const INIT = {
  protocolVersion: 1,
  clientCapabilities: { session: { notices: {}, compaction: {} } },
} as const;

/** A playground with a scripted model behind it. */
export async function setUp(answers: WireAnswers, contextWindow = 100_000) {
  const playground = await createPlayground();
  const wire = await createWireServer({ answers, contextWindow });
  await describeServer(playground, wire, { api: API, contextWindow });
  return {
    playground,
    wire,
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await playground[Symbol.asyncDispose]();
    },
  };
}

/** The updates of one kind. */
export const ofKind = <Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: Kind,
) =>
  updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
  );

/** The text of all chunks of one kind. */
export const textOf = (
  updates: readonly SessionUpdate[],
  kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
) =>
  ofKind(updates, kind)
    .map(({ content }) => (content.type === "text" ? content.text : `[${content.type}]`))
    .join("");
