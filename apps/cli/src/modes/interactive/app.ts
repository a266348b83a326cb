import type { AgentEvent } from "@coppice/agent";
import { type Model, modelName, textOf } from "@coppice/ai";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import type { TUI } from "@earendil-works/pi-tui";
import type { CliContext } from "../../cli-context.ts";
import { localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { type OtherSession, openOtherSession } from "../../other-session.ts";
import { type AppViews, createAppViews } from "./app-views.ts";
import type { CommandHost } from "./commands/command.ts";
import { parseCommand, SLASH_COMMANDS } from "./commands/registry.ts";
import { eventNotice, workingLabel } from "./event-notice.ts";
import { failureNotice } from "./failure-notice.ts";
import type { FirstScreen } from "./first-screen.ts";
import { KeyActions } from "./key-actions.ts";
import type { Layout } from "./layout.ts";
import { Prompting } from "./prompting.ts";
import { parseShellLine, ShellLines } from "./shell-lines.ts";
import type { Paint } from "./theme.ts";
import { toolsDirectory } from "./tools-directory.ts";
import type { NoticeLevel } from "./views/transcript-view.ts";

export interface AppOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly agent: AgentHarness;
  readonly tui: TUI;
  readonly layout: Layout;
  readonly first: FirstScreen;
  readonly paint: Paint;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Gives the terminal back to the shell until the process is continued. */
  readonly suspend: () => void;
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

/** The interactive application: events of the agent to views, keys and lines of a person to the agent. */
export class App implements CommandHost {
  readonly commands = SLASH_COMMANDS;
  readonly #options: AppOptions;
  readonly #views: AppViews;
  readonly #prompting: Prompting;
  readonly #shell: ShellLines;
  readonly #done = Promise.withResolvers<void>();
  #agent: AgentHarness;
  #unsubscribe: () => void = () => {};

  constructor(options: AppOptions) {
    this.#options = options;
    const { agent, context } = options;
    this.#agent = agent;
    const { shell, ripgrep } = localEnvironmentOf(context, options.known);
    this.#views = createAppViews({
      ...{ ...options, ripgrep },
      commands: this.commands,
      homeDirectory: context.environment.homeDirectory,
      onKey: (data) => keys.handle(data),
      onSubmit: (text) => this.#submit(text, "steer"),
    });
    this.#prompting = new Prompting({
      agent: () => this.#agent,
      views: this.#views,
      fail: (error) => this.fail(error),
    });
    this.#shell = new ShellLines({
      shell,
      agent: () => this.#agent,
      views: this.#views,
      requestRender: () => options.tui.requestRender(),
      now: options.now,
      fail: (error) => this.fail(error),
    });
    const keys = new KeyActions({
      ...{ views: this.#views, now: options.now, suspend: options.suspend },
      prompting: {
        interrupt: () => this.#shell.interrupt() || this.#prompting.interrupt(),
        retract: () => this.#prompting.retract(),
      },
      submitFollowUp: (text) => this.#submit(text, "followUp"),
      quit: () => this.quit(),
      notice: (text) => this.notice(text),
    });
  }

  get agent(): AgentHarness {
    return this.#agent;
  }

  get places(): CliContext["places"] {
    return this.#options.context.places;
  }

  get known(): KnownModels {
    return this.#options.known;
  }

  /** Resolves when the person quits; whoever started the application disposes of its agent. */
  get finished(): Promise<void> {
    return this.#done.promise;
  }

  /** Shows the session as it stands and listens from then on. */
  open(): Promise<void> {
    return this.#attach(this.#agent);
  }

  notice(text: string, level: NoticeLevel = "info"): void {
    this.#views.transcript.notice(text, level);
    this.#options.tui.requestRender();
  }

  /** Tells what went wrong and what to do. */
  fail(error: unknown): void {
    this.notice(failureNotice(error), "error");
  }

  pick(options: Parameters<CommandHost["pick"]>[0]): Promise<string | undefined> {
    return this.#options.layout.pick(options);
  }

  setEditorText(text: string): void {
    this.#views.editor.setText("");
    this.#views.editor.prepend([text]);
  }

  async selectModel(model: Model): Promise<void> {
    await this.#agent.setModel(model);
    this.notice(`The next request goes to ${modelName(model)}.`);
  }

  async reload(): Promise<void> {
    const { messages, diagnostics } = await this.#agent.getContext();
    const { transcript, editor, footer } = this.#views;
    transcript.reset(messages);
    for (const diagnostic of diagnostics) this.notice(diagnostic, "warning");
    for (const message of messages) if (message.role === "user") editor.addToHistory(textOf(message.content));
    footer.refresh(this.#agent);
  }

  async goOnIn(other: OtherSession): Promise<void> {
    const { context, known } = this.#options;
    const old = this.#agent;
    const { agent, notices } = await openOtherSession({ context, known, agent: old, other });
    this.#shell.interrupt();
    this.#unsubscribe();
    await old.dispose();
    this.#agent = agent;
    this.#views.working.hide();
    await this.#attach(agent);
    for (const notice of notices) this.notice(notice, "warning");
  }

  /** Sends a line as if the person had typed it. */
  submit(text: string): void {
    this.#submit(text.trim(), "steer");
  }

  quit(): void {
    this.#views.working.hide();
    this.#options.layout.leave();
    this.#done.resolve();
  }

  async #attach(agent: AgentHarness): Promise<void> {
    this.#unsubscribe = agent.subscribe((event) => this.#hear(event));
    this.#views.moveTo(await toolsDirectory(agent.session.cwd, this.#options.context.cwd));
    await this.reload();
  }

  #hear(event: AgentEvent | HarnessEvent): void {
    const { transcript, working, queue, footer } = this.#views;
    // The harness's own events mean nothing to the transcript.
    transcript.handle(event as AgentEvent);
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
    if (REFRESHING.has(event.type)) footer.refresh(this.#agent);
    this.#options.tui.requestRender();
  }

  #submit(text: string, whenBusy: "steer" | "followUp"): void {
    if (text === "") return;
    this.#views.editor.addToHistory(text);
    const shellLine = parseShellLine(text);
    if (shellLine !== undefined) return void this.#shell.run(shellLine);
    const command = parseCommand(text);
    if (command === undefined) this.#prompting.send(text, whenBusy);
    else void this.#runCommand(command.name, command.argument);
  }

  async #runCommand(name: string, argument: string): Promise<void> {
    const command = this.commands.find((candidate) => candidate.name === name);
    if (command === undefined) {
      this.setEditorText(`/${name}${argument === "" ? "" : ` ${argument}`}`);
      return this.notice(`There is no command /${name}; /help lists those there are.`, "error");
    }
    try {
      await command.run(this, argument);
    } catch (error) {
      this.fail(error);
    }
    this.#views.footer.refresh(this.#agent);
  }
}
