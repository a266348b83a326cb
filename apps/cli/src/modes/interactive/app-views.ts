import type { RunRipgrep } from "@coppice/coding-agent";
import { CombinedAutocompleteProvider, type TUI } from "@earendil-works/pi-tui";
import type { LoginNames } from "../../render/answer-advice.ts";
import { inertLine } from "../../render/terminal-text.ts";
import type { CommandName } from "./command-lines.ts";
import { FileMentions, projectFiles } from "./file-mentions.ts";
import type { FirstScreen } from "./first-screen.ts";
import { FooterFeed } from "./footer-feed.ts";
import { Highlighter } from "./highlight/highlighter.ts";
import { homeShortened } from "./home-shortened.ts";
import type { Layout } from "./layout.ts";
import type { Paint } from "./theme.ts";
import { HintView } from "./views/hint-view.ts";
import type { PromptEditor } from "./views/prompt-editor.ts";
import { QueueView } from "./views/queue-view.ts";
import { RunSpending } from "./views/run-spending.ts";
import { TranscriptView } from "./views/transcript-view.ts";
import { WorkingLine } from "./views/working-line.ts";

const MAX_HELP_CHARACTERS = 200;

export interface AppViewsOptions {
  readonly tui: TUI;
  readonly layout: Layout;
  /** Its editor and its footer go on as those of the application. */
  readonly first: Pick<FirstScreen, "editor" | "footer">;
  readonly paint: Paint;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Names that `/` completes; asked when the place is another one. */
  readonly commands: () => readonly CommandName[];
  /** Finds the files that `@` completes; absent: it completes none. */
  readonly ripgrep: RunRipgrep | undefined;
  /** Providers that people log in with. */
  readonly logins: () => LoginNames;
  readonly homeDirectory: string | undefined;
  readonly onKey: (data: string) => boolean;
  readonly onSubmit: (text: string) => void;
}

/** The views of the application. */
export interface AppViews {
  readonly transcript: TranscriptView;
  readonly hint: HintView;
  readonly working: WorkingLine;
  /** What the run spends that the working line tells of. */
  readonly spending: RunSpending;
  readonly queue: QueueView;
  readonly footer: FooterFeed;
  readonly editor: PromptEditor;
  /** Shows where the tools work, and completes paths from there. `cwd` is absolute. */
  readonly moveTo: (cwd: string) => void;
}

/** Makes the views and puts them on the screen. */
export function createAppViews(options: AppViewsOptions): AppViews {
  const { tui, layout, paint, now, commands, onKey, onSubmit } = options;
  const { editor, footer: footerView } = options.first;
  const requestRender = () => tui.requestRender();
  const highlighter = new Highlighter({
    paint,
    load: () => import("./highlight/languages.ts"),
    onLoad: () => {
      tui.invalidate();
      requestRender();
    },
  });
  const transcript = new TranscriptView(paint, highlighter, options.logins);
  const spending = new RunSpending();
  const working = new WorkingLine({ paint, now, requestRender, spending });
  const queue = new QueueView(paint);
  const hint = new HintView(paint);
  editor.connect({ onKey, onSubmit });
  const footer = new FooterFeed({ footer: footerView, requestRender });
  const moveTo = (cwd: string) => {
    const completions = commands().map(({ name, help, argument }) => ({
      name,
      description: inertLine(help, MAX_HELP_CHARACTERS),
      ...(argument === undefined ? {} : { argumentHint: inertLine(argument, MAX_HELP_CHARACTERS) }),
    }));
    editor.setAutocompleteProvider(
      new FileMentions({
        base: new CombinedAutocompleteProvider(completions, cwd),
        listFiles: projectFiles(options.ripgrep, cwd),
        now,
      }),
    );
    footer.moveTo(cwd, homeShortened(cwd, options.homeDirectory));
  };
  layout.show({ above: [transcript, hint, working, queue], editor, below: [footerView] });
  return { transcript, hint, working, spending, queue, footer, editor, moveTo };
}
