export { type CollectedEvents, collectEvents, type EventSource, eventLine } from "./collect-events.ts";
export { type ScriptedAgent, scriptedAgent } from "./scripted-agent.ts";
export {
  type ScriptedCall,
  type ScriptedTool,
  type ScriptedToolOptions,
  scriptedTool,
} from "./scripted-tool.ts";
export { unpairedCalls } from "./unpaired-calls.ts";
