import { expect, test } from "vitest";
import type { RpcHandlers, RpcHost } from "./handler.ts";
import type { RpcResponse } from "./protocol.ts";
import { RpcServer } from "./rpc-server.ts";

function createServer(handlers: Partial<RpcHandlers> = {}) {
  const answers: RpcResponse[] = [];
  const server = new RpcServer({
    host: {} as RpcHost,
    write: async (response) => void answers.push(response),
    handlers: handlers as RpcHandlers,
  });
  const take = (...lines: readonly string[]) => {
    for (const text of lines) server.take({ text });
  };
  return { server, take, answers };
}

const failure = (code: string, message: string, head = {}) => ({
  type: "response",
  ...head,
  success: false,
  error: expect.objectContaining({ code, message: expect.stringContaining(message) }),
});

test("B219, CL-09: every malformed line is answered with an error, with its id where it has one, and the loop goes on", async () => {
  const { server, take, answers } = createServer({ abort: async () => ({}) });
  take("{", "null", "[]", "7", "", '{"type":"nope","id":"a"}', '{"id":2}', '{"type":"prompt","id":3}');
  take('{"type":"prompt","message":"x","mesage":"y"}', '{"type":"set_thinking_level","level":"huge"}');
  take('{"type":"abort","id":{}}', '{"type":"abort","id":[1]}', '{"type":"abort","id":null}');
  take('{"type":"constructor"}', '{"type":"abort","id":4}');
  await server.idle();
  expect(answers).toEqual([
    failure("invalid_json", "no JSON"),
    failure("invalid_command", "an object"),
    failure("invalid_command", "an object"),
    failure("invalid_command", "an object"),
    failure("unknown_command", '"nope"', { id: "a", command: "nope" }),
    failure("unknown_command", "without a type", { id: 2 }),
    failure("invalid_params", '"message" must be a text', { id: 3, command: "prompt" }),
    failure("invalid_params", 'no parameter "mesage"', { command: "prompt" }),
    failure("invalid_params", "one of off, minimal", { command: "set_thinking_level" }),
    failure("invalid_command", "id must be a text or a number", { command: "abort" }),
    failure("invalid_command", "id must be a text or a number", { command: "abort" }),
    failure("invalid_command", "id must be a text or a number", { command: "abort" }),
    failure("unknown_command", '"constructor"', { command: "constructor" }),
    { type: "response", id: 4, command: "abort", success: true, data: {} },
  ]);
});

test("commands run in order; a long one holds nobody up, and its answer comes when it is done", async () => {
  const compacted = Promise.withResolvers<never>();
  const log: string[] = [];
  const { server, take, answers } = createServer({
    compact: () => compacted.promise,
    set_session_name: async (_, { name }) => {
      log.push(`begin ${name}`);
      await Promise.resolve();
      log.push(`end ${name}`);
      return {};
    },
    abort: async () => {
      compacted.reject(Object.assign(new Error("Stopped."), { code: "aborted", advice: "Try again." }));
      return {};
    },
  });
  take('{"type":"compact","id":1}', '{"type":"set_session_name","name":"a","id":2}');
  take('{"type":"set_session_name","name":"b","id":3}', '{"type":"abort","id":4}');
  await server.idle();
  expect(log).toEqual(["begin a", "end a", "begin b", "end b"]);
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
  expect(answers.find(({ id }) => id === 1)).toEqual({
    ...{ type: "response", id: 1, command: "compact", success: false },
    error: { code: "aborted", message: "Stopped.", advice: "Try again." },
  });
});

test("an answer to a question is taken at once, also while the command that asks holds the others up", async () => {
  const answered = Promise.withResolvers<void>();
  const { server, take, answers } = createServer({
    new_session: async () => {
      await answered.promise;
      return {} as never;
    },
    answer_question: async () => {
      answered.resolve();
      return {};
    },
    abort: async () => ({}),
  });
  take('{"type":"new_session","id":1}', '{"type":"abort","id":2}');
  take('{"type":"answer_question","questionId":"q1","answer":true,"id":3}');
  await server.idle();
  expect(answers.map(({ id }) => id)).toEqual([3, 1, 2]);
});
