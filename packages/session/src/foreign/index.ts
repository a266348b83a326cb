/** Sessions of Claude Code, Codex and Gemini CLI, read and turned into sessions of one's own. */

export {
  FOREIGN_PRODUCTS,
  type ForeignBody,
  type ForeignConversation,
  type ForeignProduct,
  type ForeignStep,
} from "./foreign-conversation.ts";
export { type ForeignSessionOptions, foreignSession } from "./foreign-session.ts";
export { readForeignConversation } from "./read-foreign.ts";
