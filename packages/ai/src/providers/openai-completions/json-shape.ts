/** Follows growing JSON text to tell when its object or list has closed; each character is looked at once. */
export class JsonShape {
  #depth = 0;
  #isOpened = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether a whole object or list has been seen, and nothing is open. */
  get isWhole(): boolean {
    return this.#isOpened && this.#depth === 0 && !this.#isInString;
  }

  add(text: string): void {
    for (const char of text) {
      if (this.#isInString) this.#inString(char);
      else if (char === '"') this.#isInString = true;
      else if (char === "{" || char === "[") {
        this.#depth++;
        this.#isOpened = true;
      } else if (char === "}" || char === "]") this.#depth--;
    }
  }

  #inString(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (char === "\\") this.#isEscaped = true;
    else if (char === '"') this.#isInString = false;
  }
}
