import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { failureOf } from "../../render/error-text.ts";
import { watchForLoss } from "./lost-terminal.ts";

function createSource() {
  const [signals, stdin] = [new EventEmitter(), new EventEmitter()];
  return Object.assign(signals, { stdin });
}

test("UI-24, CL-14: a terminal that goes away ends the program without an error, however it is noticed", async () => {
  for (const event of ["end", "error"]) {
    const source = createSource();
    const { promise, release } = watchForLoss(source);
    source.stdin.emit(event, Object.assign(new Error("read EIO"), { code: "EIO" }));
    await promise;
    release();
    expect([source.eventNames(), source.stdin.eventNames()]).toEqual([[], []]);
  }
});

test("UI-24: what nobody caught is told as a mistake, with its stack, before anybody waits for it", async () => {
  const source = createSource();
  const { promise } = watchForLoss(source);
  const error = new Error("boom");
  source.emit("uncaughtException", error);
  source.stdin.emit("end");
  const caught = await promise.catch((reason: unknown) => reason);
  expect(failureOf(caught)).toMatchObject({ message: "boom", stack: error.stack });
  expect(failureOf(caught).advice).toContain("a mistake of Coppice or of an extension");
});
