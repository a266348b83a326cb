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

const at = (path: string) => async () => path;

/** A queue whose tasks run until they are let go, and what has started so far. */
function gated() {
  const queue = new PathQueue(realPath);
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const task = (name: string) => () => {
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    gates.set(name, resolve);
    return promise;
  };
  /** Lets every microtask run. */
  const idle = () => new Promise((done) => setImmediate(done));
  const end = async (name: string) => {
    gates.get(name)?.();
    await idle();
    return [...started];
  };
  return { queue, started, task, idle, end };
}

test("B161: writes to one file run in the order of the calls, although one path takes longer to resolve", async () => {
  const queue = new PathQueue(realPath);
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`${name} starts`);
    await Promise.resolve();
    order.push(`${name} ends`);
  };
  await Promise.all([
    queue.write(at("link-a"), task("one")),
    queue.read(at("a"), task("two")),
    queue.write(at("a"), task("three")),
  ]);
  expect(order).toEqual(["one starts", "one ends", "two starts", "two ends", "three starts", "three ends"]);
});

test("other files, and reads of one file, do not wait for one another", async () => {
  const { queue, started, task, idle } = gated();
  void queue.write(at("a"), task("write a"));
  void queue.write(at("b"), task("write b"));
  void queue.read(at("c"), task("read c"));
  void queue.read(at("link-c"), task("read c again"));
  await idle();
  expect(started).toEqual(["write a", "write b", "read c", "read c again"]);
});

test("a task that may touch anything waits for all before it and holds up all behind it", async () => {
  const { queue, started, task, idle, end } = gated();
  void queue.write(at("a"), task("write"));
  void queue.alone(task("one"));
  void queue.alone(task("two"));
  void queue.read(at("b"), task("read"));
  void queue.survey(task("survey"));
  await idle();
  expect(started).toEqual(["write"]);
  expect(await end("write")).toEqual(["write", "one"]);
  expect(await end("one")).toEqual(["write", "one", "two"]);
  expect(await end("two")).toEqual(["write", "one", "two", "read", "survey"]);
});

test("a path is looked for only when what may make it is over", async () => {
  const { queue, task, idle, end } = gated();
  let isLocated = false;
  void queue.alone(task("make"));
  void queue.read(async () => {
    isLocated = true;
    return "a";
  }, task("read"));
  await idle();
  expect(isLocated).toBe(false);
  await end("make");
  expect(isLocated).toBe(true);
});

test("a survey waits for writes before it, and writes wait for it; reads do not", async () => {
  const { queue, started, task, idle, end } = gated();
  void queue.write(at("a"), task("before"));
  void queue.survey(task("survey"));
  void queue.survey(task("another"));
  void queue.read(at("b"), task("read"));
  void queue.write(at("c"), task("behind"));
  await idle();
  expect(started).toEqual(["before", "read"]);
  expect(await end("before")).toEqual(["before", "read", "survey", "another"]);
  await end("survey");
  expect(await end("another")).toEqual(["before", "read", "survey", "another", "behind"]);
});

test("a task that fails and a path that cannot be resolved hold nobody up", async () => {
  const queue = new PathQueue(realPath);
  const failed = queue.write(at("a"), () => Promise.reject(new Error("task failed")));
  const unresolved = queue.write(at("broken"), async () => "never");
  const broken = queue.alone(() => Promise.reject(new Error("command failed")));
  const after = queue.write(at("a"), async () => "done");
  await expect(failed).rejects.toThrow("task failed");
  await expect(unresolved).rejects.toThrow("cannot resolve");
  await expect(broken).rejects.toThrow("command failed");
  expect(await after).toBe("done");
});
