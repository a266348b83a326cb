// One set of errors serves both APIs of this vendor and the servers that copy them.
export { classifyOpenAi as classify } from "../openai-errors.ts";
