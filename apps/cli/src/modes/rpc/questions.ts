import type {
  DialogPresenter,
  DialogRequest,
  PermissionAnswer,
  PermissionGuardOptions,
  PermissionRequest,
} from "@coppice/coding-agent";
import { CliError } from "../../cli-error.ts";

/** A question to the client's user; the answer comes with `answer_question`. */
export type RpcQuestion = { readonly type: "question"; readonly questionId: string } & (
  | ({ readonly kind: "permission" } & Pick<
      PermissionRequest,
      "toolCallId" | "tool" | "input" | "reason" | "suggestedRule"
    >)
  | { readonly kind: "dialog"; readonly dialog: DialogRequest }
);

/** Nobody waits for the answer any more. */
export interface RpcQuestionClosed {
  readonly type: "question_closed";
  readonly questionId: string;
}

/** To a permission question whether the call may run; to a dialog true or false, a text, or null when dismissed. */
export type RpcAnswer = PermissionAnswer | boolean | string | null;

interface Open {
  readonly question: Asked;
  readonly settle: (answer: RpcAnswer) => void;
}

/** Questions to a client that said that it answers some; to any other nothing is asked, and the answer is no. */
export class Questions {
  readonly #write: (value: RpcQuestion | RpcQuestionClosed) => Promise<void>;
  readonly #open = new Map<string, Open>();
  #count = 0;
  #isAnswered = false;
  readonly #gone = new AbortController();

  constructor(write: (value: RpcQuestion | RpcQuestionClosed) => Promise<void>) {
    this.#write = write;
  }

  /** Whether the client answers; what it says before it is gone does not count afterwards. */
  get isAnswered(): boolean {
    return this.#isAnswered && !this.gone.aborted;
  }

  set isAnswered(value: boolean) {
    this.#isAnswered = value;
  }

  /** Fires when the client is gone for good. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  readonly permission: NonNullable<PermissionGuardOptions["ask"]> = async (request, signal) => {
    if (!this.isAnswered) return { decision: "deny", reason: "Nobody can be asked." };
    const { toolCallId, tool, input, reason, suggestedRule } = request;
    const asked = { kind: "permission", toolCallId, tool, input, reason, suggestedRule } as const;
    const answer = await this.#ask(asked, signal);
    return typeof answer === "object" && answer !== null ? answer : { decision: "deny" };
  };

  readonly dialog: DialogPresenter = async (dialog, signal) => {
    if (!this.isAnswered) return undefined;
    const answer = await this.#ask({ kind: "dialog", dialog }, signal);
    return typeof answer === "object" ? undefined : answer;
  };

  /** Throws `CliError` `usage` for a question that is not open or an answer that does not fit it. */
  answer(questionId: string, answer: RpcAnswer): void {
    const open = this.#open.get(questionId);
    if (open === undefined) throw new CliError("usage", `No question ${questionId} is open`);
    const wanted = answer === null ? undefined : unfitting(open.question, answer);
    if (wanted !== undefined) throw new CliError("usage", `The question ${questionId} wants ${wanted}`);
    open.settle(answer);
  }

  /** The client is gone for good: what is open is dismissed, and nothing more is asked, whatever is still to be done. */
  leave(): void {
    this.#gone.abort();
    for (const [questionId, { settle }] of this.#open) {
      settle(null);
      void this.#write({ type: "question_closed", questionId });
    }
  }

  async #ask(question: Asked, signal: AbortSignal): Promise<RpcAnswer> {
    const questionId = `q${++this.#count}`;
    const { promise, resolve: settle } = Promise.withResolvers<RpcAnswer>();
    const close = () => {
      settle(null);
      void this.#write({ type: "question_closed", questionId });
    };
    this.#open.set(questionId, { question, settle });
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
    try {
      await this.#write({ type: "question", questionId, ...question });
      return await promise;
    } finally {
      signal.removeEventListener("abort", close);
      this.#open.delete(questionId);
    }
  }
}

/** What a question wants instead of this answer; undefined when it fits. */
function unfitting(question: Asked, answer: NonNullable<RpcAnswer>): string | undefined {
  if (question.kind === "permission") return typeof answer === "object" ? undefined : "a decision";
  const { dialog } = question;
  if (dialog.kind === "confirm") return typeof answer === "boolean" ? undefined : "true or false";
  if (typeof answer !== "string") return "a text";
  const isOffered = dialog.kind === "input" || dialog.options.includes(answer);
  return isOffered ? undefined : "one of its options";
}

type Asked = RpcQuestion extends infer One
  ? One extends RpcQuestion
    ? Omit<One, "type" | "questionId">
    : never
  : never;
