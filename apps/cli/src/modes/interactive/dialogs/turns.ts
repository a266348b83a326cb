/** Things that take turns: each begins once the one before it is over, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(turn: () => Promise<T>): Promise<T> {
    const result = this.#last.then(turn, turn);
    this.#last = result.catch(() => {});
    return result;
  }
}
