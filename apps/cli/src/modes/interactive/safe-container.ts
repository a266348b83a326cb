import { type Component, Container } from "@earendil-works/pi-tui";
import { inertLine } from "../../render/terminal-text.ts";

const MAX_CHARACTERS = 200;

/** Components one below the other; one that throws is replaced by a line that says so (fault kind UI-03). */
export class SafeContainer extends Container {
  override render(width: number): readonly string[] {
    try {
      return super.render(width);
    } catch {
      return this.children.flatMap((child) => linesOrError(child, width));
    }
  }
}

function linesOrError(component: Component, width: number): readonly string[] {
  try {
    return component.render(width);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return ["", `✗ This part cannot be shown: ${inertLine(reason, MAX_CHARACTERS)}`];
  }
}
