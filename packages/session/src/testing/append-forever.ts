import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { isSessionError } from "../errors.ts";
import { JsonlRepo } from "../jsonl-repo.ts";
import type { Session } from "../session.ts";
import { userMessage } from "./sample-messages.ts";

// The child of kill.test.ts: argv = folder, session, rounds. Each round opens, appends and closes; with endless rounds
// it stays in the first one and appends.
const [directory = "", ref = "", rounds = "1"] = process.argv.slice(2);
const repo = new JsonlRepo({ directory, fsync: "off" });

/** Tries until the other writers let go; the pause only keeps them from spinning. */
async function openWhenFree(): Promise<Session> {
  for (;;) {
    try {
      return await repo.open(ref);
    } catch (error) {
      if (!isSessionError(error, "locked")) throw error;
      await wait(2);
    }
  }
}

const nothingKept = { summary: "So far.", firstKeptEntryId: "", tokensBefore: 1, checkpoint: {} };
const isEndless = Number(rounds) === Number.MAX_SAFE_INTEGER;
for (let round = 0; round < Number(rounds); round++) {
  const session = await openWhenFree();
  // The next one opens from here, however much was written before.
  if (isEndless) await session.appendCompaction({ ...nothingKept });
  do {
    const id = await session.appendMessage(userMessage(`round ${round} ${"x".repeat(round % 500)}`));
    if (!process.stdout.write(`${id}\n`)) await once(process.stdout, "drain");
  } while (isEndless);
  await session.close();
}
