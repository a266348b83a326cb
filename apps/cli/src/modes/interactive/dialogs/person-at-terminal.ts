import type { PermissionAnswer, PermissionRequest, TrustRequest } from "@coppice/coding-agent";
import type { Person } from "../../../person.ts";
import { inertLine } from "../../../render/terminal-text.ts";
import { keyHints, listHints } from "../keymap.ts";
import type { Layout } from "../layout.ts";
import type { Paint } from "../theme.ts";
import { TextPages } from "../views/text-pages.ts";
import { extensionDialog } from "./extension-dialog.ts";
import { type PermissionChoice, permissionChoices, permissionText } from "./permission-lines.ts";
import { Turns } from "./turns.ts";

const MAX_FILES = 10;
const MAX_CHARACTERS = 300;

export interface PersonAtTerminalOptions {
  readonly layout: Pick<Layout, "pick" | "input" | "open" | "size">;
  readonly paint: Paint;
  /** Stops the run that a question belongs to, as Esc does outside of one. */
  readonly stopRun: () => void;
  /** Hears when a call begins to wait for an answer, and when it no longer does. */
  readonly setWaiting: (toolCallId: string, isWaiting: boolean) => void;
  /** Settles when nobody is there any more: what is asked then is denied. */
  readonly ended: Promise<void>;
}

/** The person at the terminal, asked one thing at a time. What is not answered is a no. */
export function personAtTerminal(options: PersonAtTerminalOptions): Person {
  const { layout, paint, stopRun, setWaiting, ended } = options;
  const turns = new Turns();
  const gone = ended.then(
    () => undefined,
    () => undefined,
  );
  const askPermission = async (
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> => {
    const choice = await askChoice({ layout, request, signal, paint });
    // Left, and not taken away because the run was stopped already.
    if (choice === undefined && !signal.aborted) stopRun();
    if (choice !== "reason") return answerOf(choice);
    const title = [`What should be done instead of ${inertLine(request.tool, 60)}?`];
    const reason = await layout.input({ title }, signal);
    return { decision: "deny", ...(reason === undefined ? {} : { reason }) };
  };
  return {
    permissionMode: "ask",
    dialogs: (request, signal) => Promise.race([extensionDialog(layout, { request, paint, signal }), gone]),
    permission: async (request, signal) => {
      setWaiting(request.toolCallId, true);
      try {
        return await turns.take(
          async () => (await Promise.race([askPermission(request, signal), gone])) ?? { decision: "deny" },
        );
      } finally {
        setWaiting(request.toolCallId, false);
      }
    },
    trust: (request) =>
      turns.take(async () => {
        const answer = await Promise.race([askTrust(layout, request, paint), gone]);
        // A terminal that went away has not decided: a refusal would be remembered.
        if (answer === undefined) throw new Error("Nobody is there to answer.");
        return answer;
      }),
  };
}

interface AskChoiceOptions extends Pick<PersonAtTerminalOptions, "layout" | "paint"> {
  readonly request: PermissionRequest;
  readonly signal: AbortSignal;
}

/** Asks again for as long as the whole call is looked at; undefined when the question was left. */
async function askChoice({
  layout,
  request,
  signal,
  paint,
}: AskChoiceOptions): Promise<PermissionChoice | undefined> {
  for (;;) {
    const { lines, isCut, whole } = permissionText(request, layout.size(), paint);
    const choice = (await layout.pick(
      {
        title: lines,
        choices: permissionChoices(request.suggestedRule, isCut),
        sudden: "keys",
        hint: keyHints(
          listHints.move(),
          listHints.take("takes"),
          listHints.leave("refuses and stops the run"),
        ),
      },
      signal,
    )) as PermissionChoice | undefined;
    if (choice !== "show") return choice;
    const title = `${inertLine(request.tool, 60)} wants to run`;
    await layout.open((onDone) => new TextPages({ title, text: whole, paint, onDone }), signal);
  }
}

function answerOf(choice: PermissionChoice | undefined): PermissionAnswer {
  if (choice === "once") return { decision: "allow" };
  if (choice === "session" || choice === "always") return { decision: "allow", remember: choice };
  return { decision: "deny" };
}

const TRUST = "trust";

async function askTrust(layout: Pick<Layout, "pick">, request: TrustRequest, paint: Paint): Promise<boolean> {
  const { directory, files } = request;
  const shown = files.slice(0, MAX_FILES).map((file) => `    ${inertLine(file, MAX_CHARACTERS)}`);
  const hidden = files.length - shown.length;
  const { what, consequences, until } = trustText(request);
  const answer = await layout.pick({
    title: [
      `${paint("warning", "?")} ${paint("strong", what)}: ${inertLine(directory, MAX_CHARACTERS)}`,
      ...consequences.map((line) => `  ${line}`),
      ...shown,
      ...(hidden > 0 ? [`    … and ${hidden} more`] : []),
      "",
    ],
    sudden: "text",
    choices: [
      { value: "no", label: "Work without them", description: "remembered; --trust counts for one run" },
      { value: TRUST, label: "Trust this project", description: until },
    ],
  });
  // Whoever leaves the question has not decided: a question that fails is a no for now, and asked again.
  if (answer === undefined) throw new Error("The question was left.");
  return answer === TRUST;
}

function trustText({ isInstructionsOnly, isChanged }: TrustRequest) {
  if (isInstructionsOnly) {
    return {
      what: "This project brings instructions for the agent",
      consequences: ["The agent is told to follow them."],
      until: "remembered",
    };
  }
  return {
    what: isChanged ? "The settings of this project have changed" : "This project brings settings of its own",
    consequences: [
      "They can run commands here and change what the agent may do.",
      "Packages and programs that they use may change without a question.",
    ],
    until: "asked again when these files change",
  };
}
