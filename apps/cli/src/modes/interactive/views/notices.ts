import type { AgentMessage } from "@coppice/agent";
import type { Component, Container } from "@earendil-works/pi-tui";

interface Notice {
  readonly text: string;
  readonly view: Component;
  /** The message that it follows; undefined before the first one. */
  readonly after: string | undefined;
}

/**
 * The notices of a conversation, each behind the message that it followed when it came: nothing stores them, so that a
 * conversation that is shown again has to take them along.
 */
export class Notices {
  readonly #place: Pick<Container, "addChild">;
  #shown: readonly Notice[] = [];
  #kept: readonly Notice[] = [];
  #last: string | undefined;

  constructor(place: Pick<Container, "addChild">) {
    this.#place = place;
  }

  has(text: string): boolean {
    return this.#shown.some((notice) => notice.text === text);
  }

  add(text: string, view: Component): void {
    this.#add({ text, view, after: this.#last });
  }

  /** A message is shown; what followed it before follows it again. */
  follow(message: AgentMessage): void {
    this.#last = `${message.role} ${message.timestamp}`;
    this.#addKept();
  }

  /** All is gone from the screen and is shown again, up to `end`. */
  begin({ keeps }: { readonly keeps: boolean }): void {
    this.#kept = keeps ? this.#shown : [];
    this.#shown = [];
    this.#last = undefined;
    this.#addKept();
  }

  /** Notices whose message is not shown any more are gone. */
  end(): void {
    this.#kept = [];
  }

  #addKept(): void {
    const due = this.#kept.filter(({ after }) => after === this.#last);
    // Two messages may be of the same moment.
    this.#kept = this.#kept.filter(({ after }) => after !== this.#last);
    for (const notice of due) this.#add(notice);
  }

  #add(notice: Notice): void {
    this.#shown = [...this.#shown, notice];
    this.#place.addChild(notice.view);
  }
}
