// A model in process
export type { ScriptStep, ScriptSteps } from "./script.ts";
export {
  type ScriptedAnswer,
  type ScriptedBlock,
  type ScriptedError,
  type ScriptedPace,
  type ScriptedReply,
  type ScriptedText,
  type ScriptedThinking,
  type ScriptedToolCall,
  scriptedError,
  scriptedText,
  scriptedThinking,
  scriptedToolCall,
} from "./scripted-answer.ts";
export { scriptedMessage } from "./scripted-message.ts";
export { scriptedModel } from "./scripted-model.ts";
export {
  createScriptedProvider,
  type ScriptedAnswers,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from "./scripted-provider.ts";
export { type ScriptedStream, type ScriptedStreamOptions, scriptedStream } from "./scripted-stream.ts";
// A model server on loopback
export {
  type WireAnswer,
  type WireAnswers,
  type WireFault,
  type WireFraming,
  type WireStep,
  wireFault,
} from "./wire-server/wire-answer.ts";
export type { RejectedRequest, WireRequest, WireTurn } from "./wire-server/wire-request.ts";
export { createWireServer, type WireServer, type WireServerOptions } from "./wire-server/wire-server.ts";
// Suites and recorded answers
export type { ConformanceCase, ConformanceTarget } from "./conformance/conformance-case.ts";
export { providerConformance } from "./conformance/conformance.ts";
export { type Conversation, type ConversationOptions, converse } from "./conformance/conversation.ts";
export { eventOrderProblem } from "./conformance/event-order.ts";
export { type ReplayedRequest, type ReplayOptions, replayFetch } from "./replay.ts";
