import { isDeepStrictEqual } from "node:util";
import { assemble } from "../../assemble.ts";
import type { AssistantMessage } from "../../message.ts";
import { isTerminal, type StreamEvent } from "../../stream-event.ts";

/**
 * The first rule of the stream protocol that these events break; undefined = they are a legal stream.
 *
 * Rules: `start` first unless the call failed at once; per block start, deltas, end; one terminal event and nothing
 * after it; the deltas of a block give its text; the events assemble to the content of the terminal message.
 */
export function eventOrderProblem(events: readonly StreamEvent[]): string | undefined {
  const last = events.at(-1);
  if (last === undefined || !isTerminal(last)) return "the stream has no terminal event";
  const before = events.slice(0, -1);
  if (before.some(isTerminal)) return "there is an event after the terminal one";
  if (last.type === "error" && before.length === 0) return undefined;
  if (before[0]?.type !== "start") return "the stream does not begin with `start`";
  if (before.slice(1).some((event) => event.type === "start")) return "there is a second `start`";
  return blockProblem(before.slice(1), last.type === "done") ?? contentProblem(before, last.message);
}

type Phase = { readonly kind: string; text: string; isOpen: boolean };

function blockProblem(events: readonly StreamEvent[], mustClose: boolean): string | undefined {
  const phases = new Map<number, Phase>();
  for (const event of events) {
    if (!("contentIndex" in event)) return `\`${event.type}\` stands between blocks`;
    const [kind = "", step] = event.type.split("_");
    const { contentIndex } = event;
    const phase = phases.get(contentIndex);
    if (step === "start") {
      if (phase !== undefined) return `block ${contentIndex} starts twice`;
      phases.set(contentIndex, { kind, text: "", isOpen: true });
      continue;
    }
    if (phase === undefined || !phase.isOpen || phase.kind !== kind)
      return `\`${event.type}\` at ${contentIndex} belongs to no open ${kind} block`;
    if ("delta" in event) phase.text += event.delta;
    if (!("block" in event)) continue;
    phase.isOpen = false;
    const whole = event.block.type === "text" ? event.block.text : undefined;
    if (whole !== undefined && whole !== phase.text)
      return `the deltas of block ${contentIndex} are not its text`;
  }
  const open = [...phases].find(([, phase]) => phase.isOpen);
  return mustClose && open !== undefined ? `block ${open[0]} never ends` : undefined;
}

function contentProblem(before: readonly StreamEvent[], message: AssistantMessage): string | undefined {
  if (message.stopReason === "error" || message.stopReason === "aborted") return undefined;
  const assembled = before.reduce<AssistantMessage | undefined>(assemble, undefined);
  return isDeepStrictEqual(assembled?.content, message.content)
    ? undefined
    : "the events do not assemble to the content of the terminal message";
}
