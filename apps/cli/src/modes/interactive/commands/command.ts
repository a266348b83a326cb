import type { Model } from "@coppice/ai";
import type { AgentHarness } from "@coppice/coding-agent";
import type { KnownModels } from "../../../known-models.ts";
import type { OtherSession } from "../../../other-session.ts";
import type { Places } from "../../../places.ts";
import type { PickerOptions } from "../views/picker.ts";
import type { NoticeLevel } from "../views/transcript-view.ts";

/** What a command may use of the application. */
export interface CommandHost {
  /** The agent at this moment; `/new` replaces it. */
  readonly agent: AgentHarness;
  readonly known: KnownModels;
  readonly places: Places;
  /** Every command, in the order of `/help`. */
  readonly commands: readonly SlashCommand[];
  /** Says something in the conversation; it is not stored. */
  notice(text: string, level?: NoticeLevel): void;
  /** Shows a list in place of the editor; undefined when nothing was chosen. */
  pick(options: Pick<PickerOptions, "title" | "choices" | "selected">): Promise<string | undefined>;
  setEditorText(text: string): void;
  selectModel(model: Model): Promise<void>;
  /** Shows the conversation anew, as it stands at the session's position. */
  reload(): Promise<void>;
  /** Leaves the session for another one; when that cannot be opened, everything stays as it is. */
  goOnIn(other: OtherSession): Promise<void>;
  quit(): void;
}

/** A command that a person types after a slash. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly help: string;
  /** How its argument is called in help; absent = it takes none. */
  readonly argument?: string;
  /** What it throws is shown with its advice. */
  run(host: CommandHost, argument: string): void | Promise<void>;
}
