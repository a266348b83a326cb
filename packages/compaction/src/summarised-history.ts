import type { AgentMessage } from "@coppice/agent";
import type { ContextEntry } from "@coppice/session";
import {
  addFileTouches,
  type FileTouches,
  type FileTouchesDraft,
  finishedFileTouches,
  newFileTouches,
} from "./file-touches.ts";
import { beginsTurn } from "./turns.ts";

/** What stands before a cut. The previous summary is not among the messages. */
export interface SummarisedHistory {
  readonly messagesToSummarize: readonly AgentMessage[];
  /** The beginning of the turn that the cut splits. */
  readonly turnPrefixMessages: readonly AgentMessage[];
  readonly touches: FileTouches;
  /** True when a tool call failed. */
  readonly hasFailure: boolean;
}

/** Reads what stands before a cut, in one walk: the messages of a long session are all over the memory. */
export function summarisedHistory(
  entries: readonly ContextEntry[],
  cutIndex: number,
  isSplitTurn: boolean,
): SummarisedHistory {
  const turnStart = isSplitTurn ? turnStartBefore(entries, cutIndex) : cutIndex;
  const draft = newFileTouches();
  const messagesToSummarize = readSpan(entries.slice(0, turnStart), draft);
  const turnPrefixMessages = readSpan(entries.slice(turnStart, cutIndex), draft);
  const touches = finishedFileTouches(draft);
  return { messagesToSummarize, turnPrefixMessages, touches, hasFailure: draft.hasFailure };
}

/** Plain loops: those over iterators are slow until they have run often, and this runs once a session. */
function readSpan(entries: readonly ContextEntry[], draft: FileTouchesDraft): readonly AgentMessage[] {
  const found: AgentMessage[] = [];
  for (let index = 0; index < entries.length; index++) {
    const { messages } = entries[index] as ContextEntry;
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as AgentMessage;
      if (message.role === "compactionSummary") continue;
      found.push(message);
      addFileTouches(draft, message);
    }
  }
  return found;
}

/** Where the turn begins that a cut splits; the cut itself where it does not begin here. */
function turnStartBefore(entries: readonly ContextEntry[], cutIndex: number): number {
  let index = cutIndex - 1;
  while (index >= 0 && !beginsTurn(entries, index)) index--;
  return index === -1 ? cutIndex : index;
}
