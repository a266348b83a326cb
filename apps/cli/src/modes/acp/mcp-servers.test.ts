import { expect, test } from "vitest";
import { serverConfigs } from "./mcp-servers.ts";

test("an editor's servers are those of mcp.json, with every text as it is; of two with one name the first counts", () => {
  const env = [{ name: "PRICE", value: "5$ and $HOME" }];
  expect(
    serverConfigs([
      { name: "a", command: "/bin/$x", args: ["$1"], env },
      { type: "http", name: "web", url: "https://example.org", headers: [{ name: "A", value: "$$" }] },
      { name: "a", command: "other", args: [], env: [] },
    ]),
  ).toEqual({
    a: { command: "/bin/$$x", args: ["$$1"], env: { PRICE: "5$$ and $$HOME" } },
    web: { type: "http", url: "https://example.org", headers: { A: "$$$$" } },
  });
});
