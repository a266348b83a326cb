/** Results of `task` over the items as they come, at most `limit` running at once. Leaving the loop starts no more. */
export async function* boundedMap<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Set<Promise<readonly [Promise<unknown>, Result]>>();
  const start = (item: Item): void => {
    const promise: Promise<readonly [Promise<unknown>, Result]> = task(item).then((result) => [
      promise,
      result,
    ]);
    running.add(promise);
  };
  const iterator = items[Symbol.iterator]();
  for (let next = iterator.next(); ; next = iterator.next()) {
    if (!next.done) start(next.value);
    if (next.done && running.size === 0) return;
    if (!next.done && running.size < limit) continue;
    const [settled, result] = await Promise.race(running);
    running.delete(settled as Promise<readonly [Promise<unknown>, Result]>);
    yield result;
  }
}
