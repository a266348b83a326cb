import type { Extension } from "@coppice/coding-agent";
import { userWords } from "./user-words.ts";

/** Puts the strategy before the built-in summary of a coding agent. */
const extension: Extension = {
  name: "user-words",
  setup: (api) => api.registerCompactionStrategy(userWords),
};

export default extension;
