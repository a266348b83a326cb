import { join } from "node:path";
import {
  type ContextFileScope,
  createLocalConfigFiles,
  type Environment,
  loadPromptTemplates,
  loadSettings,
  loadSkills,
  type NamedExtensions,
  type PermissionMode,
  type PromptTemplate,
  resolveTrust,
  resourceFolders,
  type Settings,
  type Skill,
  TrustStore,
} from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { namedExtensions } from "./named-extensions.ts";
import { FOLDER } from "./places.ts";

/** What the files of the user and of a project say about working in it. */
export interface Setup {
  /** Flags over project over user. */
  readonly settings: Settings;
  /** Whether the project's own settings, skills, prompts and extensions take effect. */
  readonly isTrusted: boolean;
  /** Whose AGENTS.md count. */
  readonly contextFiles: ContextFileScope;
  /** What the command line and settings name, for `userExtensions`. */
  readonly namedExtensions: readonly NamedExtensions[];
  readonly skills: readonly Skill[];
  readonly templates: readonly PromptTemplate[];
  /** What was left out and why, one line each. */
  readonly notices: readonly string[];
}

export interface SetupOptions {
  readonly context: CliContext;
  /** Absolute; where the tools work. */
  readonly cwd: string;
  readonly files: Environment["files"];
}

/** Reads settings, trust, skills and prompt templates. Nothing of a project that is not trusted is used or run. */
export async function loadSetup({ context, cwd, files }: SetupOptions): Promise<Setup> {
  const { args, person, places } = context;
  const configFiles = createLocalConfigFiles();
  const homeDirectory = context.environment.homeDirectory;
  const trust = await resolveTrust({
    store: new TrustStore({ files: configFiles, path: places.trustFile }),
    ...{ files, cwd },
    ...(homeDirectory === undefined ? {} : { homeDirectory }),
    ...(args.flags.trust === undefined ? {} : { flag: args.flags.trust }),
    ...(person.trust === undefined ? {} : { ask: person.trust }),
  });
  // The folder of the user is none of a project, also where the work is done at home.
  const folder = join(cwd, FOLDER) === places.userDirectory ? undefined : join(cwd, FOLDER);
  const loaded = await loadSettings({
    files: configFiles,
    userPath: places.settingsFile,
    projectPath: folder === undefined ? undefined : join(folder, "settings.json"),
    isProjectTrusted: trust.isTrusted,
    ...{ cwd, homeDirectory },
    overrides: settingsOfFlags(context),
  });
  const { skills: moreSkills = [], prompts: morePrompts = [] } = loaded.settings;
  const roots = resourceFolders({
    ...{ userFolder: places.userDirectory, cwd, homeDirectory },
    projectFolder: trust.isTrusted ? folder : undefined,
    more: { skills: moreSkills, prompts: morePrompts },
  });
  const { skills, diagnostics: ofSkills } = await loadSkills({ files, roots: roots.skills });
  const { templates, diagnostics: ofTemplates } = await loadPromptTemplates({ files, roots: roots.prompts });
  const waiting = [
    ...(trust.storeProblem === undefined ? [] : [`${trust.storeProblem} ${NOT_REMEMBERED}`]),
    ...(trust.notice === undefined ? [] : [`${trust.notice} ${HOW_TO_TRUST}`]),
  ];
  return {
    ...{
      settings: loaded.settings,
      isTrusted: trust.isTrusted,
      contextFiles: trust.contextFiles,
      skills,
      templates,
    },
    namedExtensions: [
      { source: "cli", specs: args.flags.extension ?? [], base: context.cwd },
      ...namedExtensions(
        { user: loaded.user.extensions, all: loaded.settings.extensions },
        { user: places.userDirectory, project: join(cwd, FOLDER) },
      ),
    ],
    notices: [...waiting, ...loaded.diagnostics, ...ofSkills, ...ofTemplates],
  };
}

const NOT_REMEMBERED = "Until it is mended no folder counts as trusted, and answers are not remembered.";

const HOW_TO_TRUST = "Start coppice there in a terminal to be asked, or add --trust for one run.";

function settingsOfFlags({ args }: CliContext): Settings {
  const mode = args.flags["permission-mode"];
  // The parser allows the known modes only.
  return mode === undefined ? {} : { permissions: { mode: mode as PermissionMode } };
}
