import type { Model } from "@coppice/ai";
import type { AgentHarness, PermissionGuard } from "@coppice/coding-agent";
import type { Component, TUI } from "@earendil-works/pi-tui";
import type { KnownModels } from "../../../known-models.ts";
import type { OtherSession } from "../../../other-session.ts";
import type { Places } from "../../../places.ts";
import type { Setup } from "../../../setup.ts";
import type { PickOptions } from "../layout.ts";
import type { Paint } from "../theme.ts";
import type { TextPromptOptions } from "../views/text-prompt.ts";
import type { NoticeLevel } from "../views/transcript-view.ts";

/** What a command may use of the application. */
export interface CommandHost {
  /** The agent at this moment; `/new` replaces it. */
  readonly agent: AgentHarness;
  readonly known: KnownModels;
  readonly places: Places;
  /** What the files of the user and of the project say. */
  readonly setup: Setup;
  readonly permissions: PermissionGuard;
  readonly paint: Paint;
  readonly tui: TUI;
  /** Every command of this program, in the order of `/help`. */
  readonly commands: readonly SlashCommand[];
  /** Says something in the conversation; it is not stored. */
  notice(text: string, level?: NoticeLevel): void;
  /** Shows a list in place of the editor; undefined when nothing was chosen. */
  pick(options: PickOptions, signal?: AbortSignal): Promise<string | undefined>;
  /** Asks for a line in place of the editor; undefined when it was left. */
  input(
    options: Omit<TextPromptOptions, "paint" | "onDone">,
    signal?: AbortSignal,
  ): Promise<string | undefined>;
  /** Shows a view in place of the editor until it calls back. */
  open<T>(make: (onDone: (value: T | undefined) => void) => Component): Promise<T | undefined>;
  /** Says what works until it is over; Esc stops an operation of the agent. */
  working<T>(label: string, work: Promise<T>): Promise<T>;
  /** Puts a text before what is being written: a person may have written since the command began. */
  prependToEditor(text: string): void;
  selectModel(model: Model): Promise<void>;
  /** Shows the conversation anew, as it stands at the session's position. */
  reload(): Promise<void>;
  /** Leaves the session for another one; when that cannot be opened, everything stays as it is. */
  goOnIn(other: OtherSession): Promise<void>;
  /** Reads keys, settings, skills, templates and extensions anew, and goes on in the same session. */
  reopen(): Promise<void>;
  /** Hands a text to the terminal's clipboard. */
  copy(text: string): void;
  /** Shows the screen in another theme. */
  useTheme(name: string | undefined): Promise<void>;
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
