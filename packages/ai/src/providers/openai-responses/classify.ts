// One set of errors serves both APIs of this vendor and the servers that copy them.
export { classifyOpenAi as classify, OPENAI_ERROR_RULES as RULES } from "../openai-errors.ts";
