import { ProviderError } from "../provider-error.ts";
import { type ScriptedAnswer, type ScriptedReply, toAnswer } from "./scripted-answer.ts";

/** A reply, or a function of the request and the number of the call (from 0) that makes one. */
export type ScriptStep<Request, Answer extends ScriptedAnswer = ScriptedAnswer> =
  | ScriptedReply<Answer>
  | ((request: Request, callIndex: number) => ScriptedReply<Answer> | Promise<ScriptedReply<Answer>>);

/** A queue of steps, or one function that answers every call. */
export type ScriptSteps<Request, Answer extends ScriptedAnswer = ScriptedAnswer> =
  | readonly ScriptStep<Request, Answer>[]
  | Extract<ScriptStep<Request, Answer>, (...args: never) => unknown>;

interface ScriptCall<Answer extends ScriptedAnswer> {
  readonly callIndex: number;
  readonly answer: Answer | ScriptedAnswer;
}

/** Hands out answers in order; what both the scripted provider and the wire server are driven by. */
export interface Script<Request, Answer extends ScriptedAnswer = ScriptedAnswer> {
  /** The answer to one more request. Rejects with a `ProviderError` "no more answers" on an empty queue. */
  next(request: Request): Promise<ScriptCall<Answer>>;
  /** Adds steps to the end of the queue. */
  push(...steps: readonly ScriptStep<Request, Answer>[]): void;
  /** Steps not yet used; a script of one function never runs out and counts 0. */
  readonly remaining: number;
}

/** A script over a queue (copied) or a function. Steps are taken when `next` is called, so parallel calls keep order. */
export function createScript<Request, Answer extends ScriptedAnswer = ScriptedAnswer>(
  steps: ScriptSteps<Request, Answer>,
): Script<Request, Answer> {
  const every = typeof steps === "function" ? steps : undefined;
  const queue = typeof steps === "function" ? [] : [...steps];
  let calls = 0;
  return {
    async next(request) {
      const callIndex = calls++;
      const step = queue.shift() ?? every;
      if (step === undefined) {
        throw new ProviderError({
          code: "unknown",
          message: `The script has no more answers: call ${callIndex + 1} came after its last one.`,
          advice: "Add an answer to the script, or give it a function.",
        });
      }
      const reply = typeof step === "function" ? await step(request, callIndex) : step;
      return { callIndex, answer: toAnswer(reply) };
    },
    push(...more) {
      queue.push(...more);
    },
    get remaining() {
      return queue.length;
    },
  };
}
