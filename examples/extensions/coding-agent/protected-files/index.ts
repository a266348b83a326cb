import { relative, resolve } from "node:path";
import type { Extension } from "@coppice/coding-agent";

/** Files that only people change. */
const PROTECTED = /(?:^|\/)(?:\.env(?:\..+)?|CHANGELOG\.md|migrations\/.+\.sql)$/;

/**
 * Asks before the agent writes or edits protected files; where nobody can be asked, it may not.
 *
 * A hook that throws blocks the call as well, so that a mistake in here protects too much rather than too little.
 */
const protectedFiles: Extension = {
  name: "protected-files",
  setup(api) {
    api.on("tool_call", async ({ call, input }, signal) => {
      if (call.name !== "write" && call.name !== "edit") return undefined;
      const path = relative(api.cwd, resolve(api.cwd, String(input.path)));
      if (!PROTECTED.test(path)) return undefined;
      const isAllowed = await api.ui.confirm(`May the agent change ${path}?`, { signal });
      return isAllowed ? undefined : { block: true, reason: `${path} is changed by people only.` };
    });
  },
};

export default protectedFiles;
