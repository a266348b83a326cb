import type { Model, ModelChoice } from "@coppice/ai";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, buildAgent, modelNotices, setupOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { chooseModel, defaultModel } from "../../model-choice.ts";
import { type ChosenSession, chooseSession } from "../../session-choice.ts";
import type { GoneDirectory } from "./offer-directory.ts";
import { toolsDirectory } from "./tools-directory.ts";

export interface OpenAgentOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  /** Asks a person for a model when none can be used; undefined = they would rather leave. */
  readonly offerModel: () => Promise<Model | undefined>;
  /** Asks for one of the sessions of this directory (`--resume`); undefined = a new one. */
  readonly pickSession: () => Promise<string | undefined>;
  /** Asks whether to go on in another directory than the session's, which is gone; false = they would rather leave. */
  readonly offerDirectory: (directory: GoneDirectory) => Promise<boolean>;
}

/** An agent, and what a person should know about how it came to be. */
export interface OpenedAgent extends BuiltAgent {
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
    const choice = asked ?? (await choiceFor(chosen, setup.settings.model, options));
    if (typeof choice === "string") {
      await chosen.session.close();
      return choice;
    }
    const built = await buildAgent({ context, known, choice, chosen, setup });
    const notices = [...modelNotices(known), ...setup.notices, ...chosen.notices];
    return { ...built, isResumed: chosen.isResumed, notices };
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
): Promise<ModelChoice | "no_model"> {
  const sessionModel = chosen.isResumed ? (await chosen.session.buildContext()).model : undefined;
  if (sessionModel !== undefined) return chooseModel({ known, sessionModel });
  if (settingsModel !== undefined) return chooseModel({ known, settingsModel });
  const model = (await defaultModel(known)) ?? (await offerModel());
  return model === undefined ? "no_model" : { model };
}

/** Whether the session's directory is gone and the person does not want to go on in this one. */
async function isLeft(
  { session, cwd }: ChosenSession,
  { offerDirectory }: OpenAgentOptions,
): Promise<boolean> {
  const instead = await toolsDirectory(session.cwd, cwd);
  return instead !== session.cwd && !(await offerDirectory({ gone: session.cwd, instead }));
}
