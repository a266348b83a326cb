import type { AgentEvent, AgentMessage } from "@coppice/agent";
import { type Model, modelName, textOf } from "@coppice/ai";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import { type Component, getNativeClipboard, type TUI } from "@earendil-works/pi-tui";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { moveToSession, type OtherSession } from "../../other-session.ts";
import { isReopenable, reopenAgent } from "../../reopen-agent.ts";
import { toolsDirectory } from "../../tools-directory.ts";
import { type AppViews, createAppViews } from "./app-views.ts";
import { CLIPBOARD_ANSWER_MS, clipboardImageMention } from "./clipboard-image.ts";
import { clipboardProgram } from "./clipboard-program.ts";
import { clipboardSequence } from "./clipboard-sequence.ts";
import { CommandLines, commandNames } from "./command-lines.ts";
import type { CommandHost } from "./commands/command.ts";
import { SLASH_COMMANDS } from "./commands/registry.ts";
import { eventNotice, workingLabel } from "./event-notice.ts";
import { editOutside } from "./external-editor.ts";
import { failureNotice } from "./failure-notice.ts";
import type { FirstScreen } from "./first-screen.ts";
import { KeyActions } from "./key-actions.ts";
import { keyText } from "./keymap.ts";
import type { Layout } from "./layout.ts";
import { withoutFiles } from "./mentioned-files.ts";
import { Prompting } from "./prompting.ts";
import { parseShellLine, ShellLines } from "./shell-lines.ts";
import { StreamFrames } from "./stream-frames.ts";
import type { Paint, Palette } from "./theme.ts";
import { callDurations } from "./views/call-durations.ts";
import type { NoticeLevel, ShownAgain } from "./views/transcript-view.ts";

export interface AppOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly built: BuiltAgent;
  readonly tui: TUI;
  readonly layout: Layout;
  readonly first: FirstScreen;
  readonly palette: Palette;
  /** Shows the screen in the theme of that name; undefined = what the settings say. */
  readonly useTheme: (name: string | undefined) => Promise<readonly string[]>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Gives the terminal back to the shell until the process is continued. */
  readonly suspend: () => void;
  /** Gives the terminal to another program while that runs. */
  readonly lend: (run: () => Promise<void>) => Promise<void>;
}

/** Events after which the footer may say something else. */
const REFRESHING: ReadonlySet<(AgentEvent | HarnessEvent)["type"]> = new Set([
  "turn_end",
  "agent_settled",
  "compaction_end",
  "session_moved",
  "model_select",
  "thinking_level_select",
]);

/** Events that come many times a second, each with a little more of the same. */
const STREAMING: ReadonlySet<(AgentEvent | HarnessEvent)["type"]> = new Set([
  "message_update",
  "tool_execution_update",
]);

/** The interactive application: events of the agent to views, keys and lines of a person to the agent. */
export class App implements CommandHost {
  readonly commands = SLASH_COMMANDS;
  readonly #options: AppOptions;
  readonly #views: AppViews;
  readonly #prompting: Prompting;
  readonly #shell: ShellLines;
  readonly #lines: CommandLines;
  readonly #streamFrames: StreamFrames;
  readonly #done = Promise.withResolvers<void>();
  #built: BuiltAgent;
  #known: KnownModels;
  #unsubscribe: () => void = () => {};

  constructor(options: AppOptions) {
    this.#options = options;
    const { context } = options;
    this.#built = options.built;
    this.#known = options.known;
    const { shell, ripgrep, files } = localEnvironmentOf(context, options.known);
    this.#views = createAppViews({
      ...{ ...options, paint: this.paint, ripgrep },
      commands: () => commandNames(this),
      logins: () => this.#known.logins,
      homeDirectory: context.environment.homeDirectory,
      onKey: (data) => keys.handle(data),
      onSubmit: (text) => this.#submit(text, "steer"),
    });
    this.#streamFrames = new StreamFrames({
      draw: () => {
        const hasMore = this.#views.transcript.advance();
        options.tui.renderNow();
        return hasMore;
      },
      now: () => performance.now(),
    });
    this.#prompting = new Prompting({
      agent: () => this.agent,
      views: this.#views,
      fail: (error) => this.fail(error),
    });
    this.#shell = new ShellLines({
      shell,
      agent: () => this.agent,
      views: this.#views,
      requestRender: () => options.tui.requestRender(),
      now: options.now,
      fail: (error) => this.fail(error),
    });
    this.#lines = new CommandLines({
      ...{ host: this, files },
      send: (text) => this.#prompting.send(text, "steer"),
      fail: (error) => this.fail(error),
      onDone: () => this.#views.footer.refresh(this.agent),
    });
    const keys = new KeyActions({
      ...{ views: this.#views, now: options.now, suspend: options.suspend },
      prompting: {
        interrupt: () => this.#shell.interrupt() || this.#prompting.interrupt(),
        retract: () => this.#prompting.retract(),
      },
      submitFollowUp: (text) => this.#submit(text, "followUp"),
      quit: () => this.quit(),
      hint: (text) => this.hint(text),
      editOutside: () => void this.#editOutside().catch((error) => this.fail(error)),
      pasteImage: () => void this.#pasteImage().catch((error) => this.fail(error)),
    });
  }

  get agent(): AgentHarness {
    return this.#built.agent;
  }

  get setup(): BuiltAgent["setup"] {
    return this.#built.setup;
  }

  get permissions(): BuiltAgent["permissions"] {
    return this.#built.permissions;
  }

  get tui(): TUI {
    return this.#options.tui;
  }

  get paint(): Paint {
    return this.#options.palette.paint;
  }

  get places(): CliContext["places"] {
    return this.#options.context.places;
  }

  get known(): KnownModels {
    return this.#known;
  }

  /** Resolves when the person quits; whoever started the application disposes of its agent. */
  get finished(): Promise<void> {
    return this.#done.promise;
  }

  /** Shows the session as it stands and listens from then on. */
  start(): Promise<void> {
    return this.#attach(this.agent);
  }

  notice(text: string, level: NoticeLevel = "info"): void {
    this.#views.transcript.notice(text, level);
    this.#options.tui.requestRender();
  }

  /** Shows what holds for a moment; undefined: nothing does. */
  hint(text: string | undefined): void {
    this.#views.hint.show(text);
    this.#options.tui.requestRender();
  }

  /** Tells what went wrong and what to do. */
  fail(error: unknown): void {
    this.notice(failureNotice(error), "error");
  }

  pick(...options: Parameters<CommandHost["pick"]>): Promise<string | undefined> {
    return this.#options.layout.pick(...options);
  }

  input(...options: Parameters<CommandHost["input"]>): Promise<string | undefined> {
    return this.#options.layout.input(...options);
  }

  open<T>(make: (onDone: (value: T | undefined) => void) => Component): Promise<T | undefined> {
    return this.#options.layout.open<T>(make);
  }

  async working<T>(label: string, work: Promise<T>): Promise<T> {
    this.#views.working.show(label);
    try {
      return await work;
    } finally {
      this.#views.working.hide();
    }
  }

  copy(text: string): void {
    this.#options.tui.terminal.write(clipboardSequence(text));
  }

  async useTheme(name: string | undefined): Promise<void> {
    for (const warning of await this.#options.useTheme(name)) this.notice(warning, "warning");
  }

  prependToEditor(text: string): void {
    this.#views.editor.prepend([withoutFiles(text)]);
    this.tui.requestRender();
  }

  async selectModel(model: Model): Promise<void> {
    await this.agent.setModel(model);
    this.notice(`The next request goes to ${modelName(model)}.`);
  }

  async reload(): Promise<void> {
    this.#show(await this.agent.getContext(), { keepsNotices: true });
  }

  async goOnIn(other: OtherSession): Promise<void> {
    const { context } = this.#options;
    const { agent, permissions } = this.#built;
    const built = await moveToSession({
      ...{ context, known: this.#known, agent, other },
      permissionMode: permissions.mode,
    });
    await this.#leave();
    await this.#takeOver(built);
    this.#prompting.handBack(built.queued);
  }

  async reopen(): Promise<void> {
    const { context } = this.#options;
    const { agent, permissions, setup } = this.#built;
    if (agent.isBusy)
      throw new Error(`The agent is at work. Press ${keyText("app.interrupt")} to stop it, or wait.`);
    if (!isReopenable(agent)) throw new Error("This session is in memory only and cannot be opened again.");
    const built = await reopenAgent({
      ...{ context, agent, before: { known: this.#known, setup }, permissionMode: permissions.mode },
      leave: () => this.#leave(),
    });
    this.#known = built.known;
    await this.#takeOver(built, { keepsNotices: true });
    await this.useTheme(built.setup.settings.theme);
    if (built.failure !== undefined) throw built.failure;
  }

  /** Sends a line as if the person had typed it. */
  submit(text: string): void {
    this.#submit(text.trim(), "steer");
  }

  /** Says of a call that it waits for the person, or no longer does. */
  setWaiting(toolCallId: string, isWaiting: boolean): void {
    this.#views.transcript.setWaiting(toolCallId, isWaiting);
    this.#options.tui.requestRender();
  }

  /** Stops what the agent does; false when it does nothing. */
  interrupt(): boolean {
    return this.#prompting.interrupt();
  }

  quit(): void {
    this.#views.working.hide();
    this.#views.hint.show(undefined);
    this.#options.layout.leave();
    this.#done.resolve();
  }

  async #leave(): Promise<void> {
    this.#shell.interrupt();
    this.#unsubscribe();
    await this.agent.dispose();
    this.#views.working.hide();
  }

  async #takeOver(
    built: BuiltAgent & { readonly notices: readonly string[] },
    options: Pick<ShownAgain, "keepsNotices"> = {},
  ): Promise<void> {
    this.#built = built;
    await this.#attach(built.agent, options);
    for (const notice of built.notices) this.notice(notice, "warning");
  }

  async #attach(agent: AgentHarness, options: Pick<ShownAgain, "keepsNotices"> = {}): Promise<void> {
    this.#views.moveTo(await toolsDirectory(agent.session.cwd, this.#options.context.cwd));
    const context = await agent.getContext();
    this.#show(context, options);
    // A conversation that is shown again has its prompts in the history already.
    if (options.keepsNotices !== true) this.#remember(context.messages);
    // What was reported while the agent was made comes at once, and would be wiped from a screen that is shown anew.
    this.#unsubscribe = agent.subscribe((event) => this.#hear(event));
  }

  #show(
    { messages, entries, diagnostics }: Awaited<ReturnType<AgentHarness["getContext"]>>,
    options: Pick<ShownAgain, "keepsNotices">,
  ): void {
    const { transcript, footer } = this.#views;
    transcript.reset(messages, { ...options, durationsMs: callDurations(entries) });
    for (const diagnostic of diagnostics) {
      if (!transcript.says(diagnostic)) this.notice(diagnostic, "warning");
    }
    footer.refresh(this.agent);
  }

  /** The prompts of a conversation that begins or goes on here: Up brings them back. */
  #remember(messages: readonly AgentMessage[]): void {
    const { editor } = this.#views;
    for (const message of messages) if (message.role === "user") editor.addToHistory(textOf(message.content));
  }

  #hear(event: AgentEvent | HarnessEvent): void {
    const { transcript, working, spending, queue, footer } = this.#views;
    // The harness's own events mean nothing to these.
    if (!this.#shell.hasShown(event)) transcript.handle(event as AgentEvent);
    spending.hear(event as AgentEvent);
    const label = workingLabel(event);
    if (label === null) working.hide();
    else if (label !== undefined) working.show(label);
    if (event.type === "agent_settled") transcript.closeOpenCards();
    if (event.type === "queue_update") {
      queue.update(event);
      footer.update({ queued: queue.size });
    }
    const notice = eventNotice(event);
    if (notice !== undefined) this.notice(notice.text, notice.level);
    if (REFRESHING.has(event.type)) footer.refresh(this.agent);
    if (STREAMING.has(event.type)) this.#streamFrames.request();
    else this.#options.tui.requestRender();
  }

  async #editOutside(): Promise<void> {
    const { context, known, lend } = this.#options;
    const { editor } = this.#views;
    const command = context.environment.get("VISUAL") ?? context.environment.get("EDITOR");
    if (command === undefined)
      return this.notice("Set $VISUAL or $EDITOR to the editor to write in.", "warning");
    const environmentVariables = context.environment.forCommands(known.keyVariables);
    const text = await editOutside(editor.getExpandedText(), { command, environmentVariables, lend });
    editor.setText("");
    editor.prepend([text]);
    this.tui.requestRender();
  }

  async #pasteImage(): Promise<void> {
    const { context, known } = this.#options;
    const clipboard = clipboardProgram({
      environmentVariables: context.environment.forCommands(known.keyVariables),
      platform: process.platform,
      timeoutMs: CLIPBOARD_ANSWER_MS,
      native: getNativeClipboard(),
    });
    const mention = await clipboardImageMention(clipboard);
    if (mention === undefined) {
      return this.notice(
        "There is no image in the clipboard that can be read here; the path of a file works, too.",
      );
    }
    this.#views.editor.insertTextAtCursor(`${mention} `);
    this.tui.requestRender();
  }

  #submit(text: string, whenBusy: "steer" | "followUp"): void {
    if (text === "") return;
    this.#views.editor.addToHistory(text);
    const shellLine = parseShellLine(text);
    if (shellLine !== undefined) return void this.#shell.run(shellLine);
    if (!this.#lines.run(text)) this.#prompting.send(text, whenBusy);
  }
}
