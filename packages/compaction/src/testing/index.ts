export { type AssistantOptions, assistantMessage, type PathBuilder, pathBuilder, usageOf } from "./paths.ts";
export {
  goodSummary,
  requestText,
  type ScriptedComplete,
  type ScriptedSummary,
  scriptedComplete,
  testModel,
} from "./scripted-complete.ts";
