import { expect, test } from "vitest";
import type { CommandHost } from "./command.ts";
import { helpCommand } from "./help.ts";
import { SLASH_COMMANDS } from "./registry.ts";

test("/help names every command, the keys, and what each sign of the footer means", async () => {
  const notices: string[] = [];
  const host = { commands: SLASH_COMMANDS, notice: (text: string) => notices.push(text) };
  await helpCommand.run(host as unknown as CommandHost, "");
  const [text = ""] = notices;
  for (const { name } of SLASH_COMMANDS) expect(text).toContain(`/${name}`);
  expect(text).toMatch(/^Keys$/m);
  expect(text).toMatch(/^~1k\/64k 2% +tokens in the context/m);
  expect(text).toMatch(/^\$0\.000 +what this session has cost/m);
});
