import { describe, test } from "vitest";
import { builtinProviders } from "../../builtin-providers.ts";
import { providerConformance } from "./conformance.ts";

describe.each(Object.entries(builtinProviders))("%s", (_api, source) => {
  test.each(providerConformance)("$name", async ({ run }) => {
    await run({ provider: typeof source === "function" ? await source() : source });
  });
});
