import { expect, test } from "vitest";
import { PathQueue } from "./path-queue.ts";

/** Links resolve late, plain paths at once. */
const realPath = async (path: string): Promise<string> => {
  if (path.startsWith("link-")) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return path.slice("link-".length);
  }
  if (path === "broken") throw new Error("cannot resolve");
  return path;
};

test("B161: tasks on one file run in the order of the calls, although one path takes longer to resolve", async () => {
  const queue = new PathQueue(realPath);
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`${name} starts`);
    await Promise.resolve();
    order.push(`${name} ends`);
  };
  await Promise.all([
    queue.run("link-a", task("one")),
    queue.run("a", task("two")),
    queue.run("a", task("three")),
  ]);
  expect(order).toEqual(["one starts", "one ends", "two starts", "two ends", "three starts", "three ends"]);
});

test("tasks on other files do not wait", async () => {
  const queue = new PathQueue(realPath);
  const gate = Promise.withResolvers<void>();
  const slow = queue.run("a", () => gate.promise);
  expect(await queue.run("b", async (path) => path)).toBe("b");
  gate.resolve();
  await slow;
});

test("a task that fails and a path that cannot be resolved hold nobody up", async () => {
  const queue = new PathQueue(realPath);
  const failed = queue.run("a", () => Promise.reject(new Error("task failed")));
  const unresolved = queue.run("broken", async () => "never");
  const after = queue.run("a", async () => "done");
  await expect(failed).rejects.toThrow("task failed");
  await expect(unresolved).rejects.toThrow("cannot resolve");
  expect(await after).toBe("done");
  await queue.settled();
});

test("settled waits for what was asked for before it", async () => {
  const queue = new PathQueue(realPath);
  let isDone = false;
  const task = queue.run("link-a", async () => {
    isDone = true;
  });
  await queue.settled();
  expect(isDone).toBe(true);
  await task;
});
