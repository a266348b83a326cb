import type { ModelChoice } from "@coppice/ai";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, buildAgent, modelNotices, setupOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { chooseModel, defaultModel } from "../../model-choice.ts";
import { type ChosenSession, chooseSession } from "../../session-choice.ts";
import { toolsDirectory } from "../../tools-directory.ts";
import type { GoneDirectory } from "./offer-directory.ts";
import type { OfferedModel } from "./offer-model.ts";

export interface OpenAgentOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  /** Asks a person for a model when none can be used; undefined = they would rather leave. */
  readonly offerModel: (known: KnownModels) => Promise<OfferedModel | undefined>;
  /** Asks for one of the sessions of this directory (`--resume`); undefined = a new one. */
  readonly pickSession: () => Promise<string | undefined>;
  /** Asks whether to go on in another directory than the session's, which is gone; false = they would rather leave. */
  readonly offerDirectory: (directory: GoneDirectory) => Promise<boolean>;
}

/** An agent, and what a person should know about how it came to be. */
export interface OpenedAgent extends BuiltAgent {
  /** What is known by now: a person may have stored a key. */
  readonly known: KnownModels;
  readonly isResumed: boolean;
  readonly notices: readonly string[];
}

/** Why there is no agent: no model can be used and none was chosen, or the person would rather leave. */
export type NotOpened = "no_model" | "left";

/** The agent of the flags. */
export async function openAgent(options: OpenAgentOptions): Promise<OpenedAgent | NotOpened> {
  const { known } = options;
  const context = await withPickedSession(options);
  // A model that cannot be used is told before a session is touched.
  const pattern = context.args.flags.model;
  const asked = pattern === undefined ? undefined : await chooseModel({ known, pattern });
  const chosen = await chooseSession(context);
  try {
    if (await isLeft(chosen, options)) {
      await chosen.session.close();
      return "left";
    }
    const setup = await setupOf(context, known, chosen.cwd);
    const offered =
      asked === undefined ? await choiceFor(chosen, setup.settings.model, options) : { choice: asked, known };
    if (typeof offered === "string") {
      await chosen.session.close();
      return offered;
    }
    const built = await buildAgent({ context, ...offered, chosen, setup });
    const notices = [...modelNotices(offered.known), ...setup.notices, ...chosen.notices];
    return { ...built, known: offered.known, isResumed: chosen.isResumed, notices };
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

/** The flags as if the session that was picked had been named. */
async function withPickedSession({ context, pickSession }: OpenAgentOptions): Promise<CliContext> {
  const { resume, ...flags } = context.args.flags;
  if (resume !== true) return context;
  const session = await pickSession();
  return {
    ...context,
    args: { ...context.args, flags: session === undefined ? flags : { ...flags, session } },
  };
}

async function choiceFor(
  chosen: ChosenSession,
  settingsModel: string | undefined,
  { known, offerModel }: OpenAgentOptions,
): Promise<{ readonly choice: ModelChoice; readonly known: KnownModels } | "no_model"> {
  const sessionModel = chosen.isResumed ? (await chosen.session.buildContext()).model : undefined;
  if (sessionModel !== undefined) return { choice: await chooseModel({ known, sessionModel }), known };
  if (settingsModel !== undefined) return { choice: await chooseModel({ known, settingsModel }), known };
  const model = await defaultModel(known);
  if (model !== undefined) return { choice: { model }, known };
  const offered = await offerModel(known);
  return offered === undefined ? "no_model" : { choice: { model: offered.model }, known: offered.known };
}

/** Whether the session's directory is gone and the person does not want to go on in this one. */
async function isLeft(
  { session, cwd }: ChosenSession,
  { offerDirectory }: OpenAgentOptions,
): Promise<boolean> {
  const instead = await toolsDirectory(session.cwd, cwd);
  return instead !== session.cwd && !(await offerDirectory({ gone: session.cwd, instead }));
}
