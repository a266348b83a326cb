import { assistantMessage, userMessage } from "@coppice/session/testing";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { coppiceView, piView, viewOf } from "./pi-view.ts";
import { ScratchFolder } from "./scratch-folder.ts";

type PiMessage = Parameters<SessionManager["appendMessage"]>[0];
const piMessage = (message: object): PiMessage => message as PiMessage;

const EDITABLE: ReadonlySet<string> = new Set(["message", "custom_message"]);

/** One thing that pi can do to a session, chosen by a number. */
function playStep(pi: SessionManager, number: number, index: number): void {
  const text = `step ${index}`;
  const branch = pi.getBranch();
  const at = branch[number % branch.length];
  const any = pi.getEntries()[number % pi.getEntryCount()];
  const kind = number % 13;
  if (kind < 3) pi.appendMessage(piMessage(userMessage(text)));
  else if (kind < 5) pi.appendMessage(piMessage(assistantMessage(text)));
  else if (kind === 5) pi.appendThinkingLevelChange("low");
  else if (kind === 6) pi.appendModelChange("p", text);
  else if (kind === 7) pi.appendCompaction(text, number % 3 === 0 ? null : (at?.id ?? null), number);
  else if (kind === 8) pi.appendCustomEntry("x", { text });
  else if (kind === 9) pi.appendSessionInfo(text);
  else if (kind === 10 && any !== undefined)
    pi.appendLabelChange(any.id, number % 5 === 0 ? undefined : text);
  else if (kind === 11 && any !== undefined) {
    if (number % 2 === 0) continueFrom(pi, any.id, text);
    else pi.branchWithSummary(any.id, text);
  } else if (at !== undefined && EDITABLE.has(at.type)) {
    pi.appendContextEdit(at.id, number % 2 === 0 ? null : { content: text });
  }
}

/** Pi writes nothing when it moves: the next entry is what says so, and it has to be more than a note. */
function continueFrom(pi: SessionManager, id: string, text: string): void {
  pi.branch(id);
  pi.appendMessage(piMessage(userMessage(text)));
}

const numbers = fc.array(fc.nat(10_000), { maxLength: 40 });

async function inTurn(pi: SessionManager, steps: readonly number[]): Promise<void> {
  for (const [index, step] of steps.entries()) playStep(pi, step, index);
}

test("any tree that pi writes opens in Coppice at the same position with the same context", async () => {
  await using folder = await ScratchFolder.create();
  await fc.assert(
    fc.asyncProperty(numbers, async (steps) => {
      const pi = SessionManager.create("/w", folder.directory);
      pi.appendMessage(piMessage(userMessage("start")));
      await inTurn(pi, steps);
      const path = pi.getSessionFile() ?? "";
      const theirs = piView(path);
      const session = await folder.repo().open(path, { readOnly: true });
      expect(await coppiceView(session)).toEqual(theirs);
      expect(session.diagnostics).toEqual([]);
      await session.close();
    }),
    { numRuns: 150 },
  );
}, 60_000);

test("a session that both continue in turn stays the same for both, and nothing is lost", async () => {
  await using folder = await ScratchFolder.create();
  await fc.assert(
    fc.asyncProperty(numbers, fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }), async (steps, moves) => {
      const repo = folder.repo();
      const first = await repo.create({ cwd: "/w" });
      await first.appendMessage(userMessage("start"));
      await first.close();
      const path = first.path ?? "";
      let known: readonly string[] = [];
      for (const [round, move] of moves.entries()) {
        const pi = SessionManager.open(path);
        await inTurn(pi, steps.slice(round * 8, round * 8 + 8));
        pi.appendMessage(piMessage(assistantMessage(`pi ${round}`)));
        const theirs = viewOf(pi);
        const session = await repo.open(path);
        expect(await coppiceView(session)).toEqual(theirs);
        const entries = await session.getEntries();
        expect(known.filter((id) => entries.every((entry) => entry.id !== id))).toEqual([]);
        await session.moveTo(entries[move % entries.length]?.id ?? null);
        if (move % 2 === 0) await session.appendMessage(userMessage(`coppice ${round}`));
        if (move % 3 === 0) await session.appendLabel(entries[0]?.id ?? "", `label ${round}`);
        known = (await session.getEntries()).map(({ id }) => id);
        const ours = await coppiceView(session);
        await session.close();
        expect(piView(path)).toEqual(ours);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("B008: a note or choice that pi hangs on an old entry takes pi there, and Coppice stays", async () => {
  await using folder = await ScratchFolder.create();
  for (const note of [
    (pi: SessionManager, id: string) => pi.appendLabelChange(id, "x"),
    (pi: SessionManager) => pi.appendSessionInfo("x"),
    (pi: SessionManager) => pi.appendModelChange("p", "m"),
  ]) {
    const pi = SessionManager.create("/w", folder.directory);
    const first = pi.appendMessage(piMessage(userMessage("one")));
    const second = pi.appendMessage(piMessage(assistantMessage("two")));
    pi.branch(first);
    note(pi, first);
    const session = await folder.repo().open(pi.getSessionFile() ?? "", { readOnly: true });
    expect(piView(pi.getSessionFile() ?? "").path).not.toContain(second);
    expect((await coppiceView(session)).path).toEqual([first, second]);
  }
});
