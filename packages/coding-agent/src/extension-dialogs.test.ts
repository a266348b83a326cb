import { expect, test } from "vitest";
import { type DialogAnswer, type DialogRequest, ExtensionDialogs } from "./extension-dialogs.ts";

const confirm = (owner: string, title = "Go on?"): DialogRequest => ({ kind: "confirm", owner, title });

function setUp() {
  const failures: unknown[] = [];
  const dialogs = new ExtensionDialogs({ onFailure: (error) => failures.push(error) });
  const shown: { request: DialogRequest; signal: AbortSignal; answer(answer: DialogAnswer): void }[] = [];
  const present = (request: DialogRequest, signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<DialogAnswer>();
    shown.push({ request, signal, answer: resolve });
    return promise;
  };
  return { dialogs, failures, shown, present };
}

test("CX-14: two extensions that ask at once are shown one after the other, and both get their own answer", async () => {
  const { dialogs, shown, present } = setUp();
  dialogs.attach(present);
  const first = dialogs.ask(confirm("a"));
  const second = dialogs.ask({ kind: "select", owner: "b", title: "Which?", options: ["x", "y"] });
  expect(shown.map(({ request }) => request.owner)).toEqual(["a"]);
  shown[0]?.answer(true);
  expect(await first).toBe(true);
  expect(shown.map(({ request }) => request.owner)).toEqual(["a", "b"]);
  shown[1]?.answer("y");
  expect(await second).toBe("y");
});

test("CX-14: a dialog is dismissed at once where nobody can be asked, also while there is no screen yet", async () => {
  const { dialogs, present } = setUp();
  expect(await dialogs.ask(confirm("a"))).toBeUndefined();
  dialogs.attach(present)();
  expect(await dialogs.ask(confirm("a"))).toBeUndefined();
});

test("CX-11: an extension that goes takes its dialogs with it, and the next one is shown", async () => {
  const { dialogs, shown, present } = setUp();
  dialogs.attach(present);
  const gone = [dialogs.ask(confirm("a")), dialogs.ask(confirm("a"))];
  const stays = dialogs.ask(confirm("b"));
  dialogs.dismiss("a");
  expect(await Promise.all(gone)).toEqual([undefined, undefined]);
  expect(shown.map(({ request, signal }) => [request.owner, signal.aborted])).toEqual([
    ["a", true],
    ["b", false],
  ]);
  // A late answer to a closed dialog changes nothing.
  shown[0]?.answer(true);
  shown[1]?.answer(false);
  expect(await stays).toBe(false);
});

test("a screen that goes dismisses what it shows and what waits; the next one begins anew", async () => {
  const { dialogs, shown, present } = setUp();
  const detach = dialogs.attach(present);
  const asked = [dialogs.ask(confirm("a", "1")), dialogs.ask(confirm("a", "2"))];
  detach();
  expect(await Promise.all(asked)).toEqual([undefined, undefined]);
  dialogs.attach(present);
  const next = dialogs.ask(confirm("a", "3"));
  shown[1]?.answer(true);
  expect(await next).toBe(true);
});

test("an abort closes the dialog, and one that comes late is not shown", async () => {
  const { dialogs, shown, present } = setUp();
  dialogs.attach(present);
  const abort = new AbortController();
  const open = dialogs.ask(confirm("a"), abort.signal);
  abort.abort();
  expect(await open).toBeUndefined();
  expect(await dialogs.ask(confirm("a"), abort.signal)).toBeUndefined();
  expect(shown).toHaveLength(1);
});

test("a presenter that fails is reported, its dialog is dismissed, and the next one is shown", async () => {
  const { dialogs, failures } = setUp();
  const broken = new Error("no screen");
  dialogs.attach(() => Promise.reject(broken));
  expect(await Promise.all([dialogs.ask(confirm("a")), dialogs.ask(confirm("b"))])).toEqual([
    undefined,
    undefined,
  ]);
  expect(failures).toEqual([broken, broken]);
});
