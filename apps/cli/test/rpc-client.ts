import { join } from "node:path";
import { RpcClient, type RpcEvent } from "../src/modes/rpc/client.ts";
import type { Sandbox } from "./spawn-cli.ts";

const MAIN = join(import.meta.dirname, "../src/main.ts");

/** The program itself with a client at its pipes; `seen` resolves once an event of the type has come so often. */
export async function connect(sandbox: Sandbox, args: readonly string[]) {
  const events: RpcEvent[] = [];
  const waiting = new Set<() => void>();
  const client = await RpcClient.start({
    command: process.execPath,
    args: ["--conditions=@coppice/source", MAIN, ...args],
    cwd: sandbox.project,
    env: { PATH: process.env.PATH, HOME: sandbox.home, COPPICE_API_KEY: "test-key" },
    onEvent(event) {
      events.push(event);
      for (const look of waiting) look();
    },
  });
  const seen = (type: string, count = 1) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (events.filter((event) => event.type === type).length >= count) resolve();
      };
      waiting.add(look);
      look();
    });
  return { client, events, seen };
}
