import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryPath } from "../test/arbitrary-path.ts";
import { checkpointOf, entriesOfState } from "./checkpoint.ts";
import { assistantMessage, pathBuilder } from "./testing/index.ts";

test("the entries of state give the same checkpoint as the whole path", () => {
  const change = fc.constantFrom("model", "level", "tools", "name", "answer", "compaction");
  fc.assert(
    fc.property(arbitraryPath({ maxTurns: 4 }), fc.array(change), (path, changes) => {
      const builder = pathBuilder(path);
      changes.forEach((kind, index) => {
        if (kind === "model") builder.entry("model_change", { provider: "p", modelId: `m${index}` });
        if (kind === "level") builder.entry("thinking_level_change", { thinkingLevel: "high" });
        if (kind === "tools") builder.entry("active_tools_change", { activeToolNames: [`t${index}`] });
        if (kind === "name") builder.entry("session_info", { name: `n${index}` });
        if (kind === "answer") {
          const level = index % 2 === 0 ? { thinkingLevel: "medium" as const } : {};
          builder.assistant(assistantMessage("x").content, { model: `a${index}`, ...level });
        }
        if (kind === "compaction") builder.compaction("s", builder.path[0]?.id ?? "", { checkpoint: {} });
      });
      const few = entriesOfState(builder.path);
      expect(few.filter(({ type }) => type === "message").length).toBeLessThanOrEqual(2);
      expect(checkpointOf({ path: few }, {})).toEqual(checkpointOf({ path: builder.path }, {}));
    }),
  );
});
