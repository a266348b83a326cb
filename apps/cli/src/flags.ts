import type { ThinkingLevel } from "@coppice/ai";

/** One flag of the command line. The parser, `--help`, the README table and completions derive from these rows. */
export interface FlagRow {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly group: "Run" | "Model" | "Session" | "Other";
  /** Name of the value in help; only on strings. */
  readonly value?: string;
  /** It may be given several times; only on strings. */
  readonly isRepeatable?: true;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** Flags that cannot be given beside this one. */
  readonly excludes?: readonly string[];
  /** A flag without which this one means nothing. */
  readonly requires?: string;
  /** The commands that alone know this flag, with their verbs, separated by ", ". */
  readonly belongsTo?: string;
  readonly help: string;
}

const LEVELS = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly ThinkingLevel[];

/** Every flag of `coppice`, in the order of the help. */
export const FLAGS = {
  print: {
    type: "boolean",
    short: "p",
    group: "Run",
    help: "Answer the prompt on standard output and exit. Piped input is added to the prompt.",
  },
  mode: {
    type: "string",
    value: "mode",
    choices: ["text", "json", "rpc", "acp"],
    group: "Run",
    help: "Who is talked to without a terminal: text for a person, json for every event as one line, rpc for a program, acp for an editor.",
  },
  "output-format": {
    type: "string",
    value: "format",
    choices: ["text", "json", "stream-json"],
    excludes: ["mode"],
    group: "Run",
    help: "Of -p: text, json for one object with answer, usage, cost and session, or stream-json, the same as --mode json.",
  },
  tools: {
    type: "string",
    value: "names",
    group: "Run",
    help: "Tools that the model may use, separated by commas; none turns all off.",
  },
  "permission-mode": {
    type: "string",
    value: "mode",
    choices: ["read-only", "ask", "auto"],
    group: "Run",
    help: "What tools may do: read-only, ask before what may do harm, or auto for whatever no rule forbids. Default: ask where a person can be asked, else auto; the settings may say otherwise.",
  },
  trust: {
    type: "boolean",
    group: "Run",
    help: "For this run, let the settings, extensions and texts for the model of the project take effect.",
  },
  extension: {
    type: "string",
    value: "path|package",
    isRepeatable: true,
    group: "Run",
    help: "For this run, use this extension too: a path such as ./x.ts, or an installed package. May be given several times.",
  },
  model: {
    type: "string",
    short: "m",
    value: "pattern",
    group: "Model",
    help: "provider/model, a model id or a unique part of one; demo needs no key.",
  },
  thinking: {
    type: "string",
    value: "level",
    choices: LEVELS,
    group: "Model",
    help: "How much the model thinks before it answers.",
  },
  "base-url": {
    type: "string",
    value: "url",
    requires: "model",
    group: "Model",
    help: "Use the server at this address; --model is then the name that the server knows. A key, where it wants one, is read from COPPICE_API_KEY.",
  },
  api: {
    type: "string",
    value: "format",
    requires: "base-url",
    group: "Model",
    help: "Wire format of --base-url: openai-completions (default), anthropic-messages, …",
  },
  "context-window": {
    type: "string",
    value: "tokens",
    requires: "base-url",
    group: "Model",
    help: "Context window of the model behind --base-url (default 128000).",
  },
  "list-models": {
    type: "boolean",
    group: "Model",
    help: "List the models that are known, those with a key first; a pattern narrows the list.",
  },
  continue: {
    type: "boolean",
    short: "c",
    group: "Session",
    excludes: ["session", "fork", "resume", "no-session"],
    help: "Go on with the newest session of this directory.",
  },
  session: {
    type: "string",
    value: "path|id",
    group: "Session",
    excludes: ["fork", "resume", "no-session"],
    help: "Go on with this session: a file, an id, or the unique beginning of one.",
  },
  fork: {
    type: "string",
    value: "path|id",
    group: "Session",
    excludes: ["resume", "no-session"],
    help: "Go on in a copy of this session; the session itself stays as it is.",
  },
  resume: {
    type: "boolean",
    short: "r",
    group: "Session",
    excludes: ["no-session", "print", "mode"],
    help: "Choose a session of this directory from a list; in the terminal only.",
  },
  "no-session": { type: "boolean", group: "Session", help: "Keep nothing on disk." },
  "session-dir": { type: "string", value: "path", group: "Session", help: "Folder of the session files." },
  name: { type: "string", value: "text", group: "Session", help: "Name of the session." },
  all: {
    type: "boolean",
    group: "Session",
    belongsTo: "sessions list",
    help: "With `sessions list`, `search` and `doctor`: those of every directory.",
  },
  repair: {
    type: "boolean",
    group: "Session",
    belongsTo: "sessions doctor",
    help: "With `sessions doctor`: write a repaired copy beside each file that needs one.",
  },
  budget: {
    type: "string",
    value: "tokens",
    group: "Session",
    belongsTo: "sessions recall",
    help: "With `sessions recall`: how much is shown; default 4000, at most 12000.",
  },
  project: {
    type: "boolean",
    group: "Other",
    belongsTo: "config, mcp",
    help: "With `config` and `mcp`: the file of this project instead of yours.",
  },
  header: {
    type: "string",
    value: "name: value",
    group: "Other",
    belongsTo: "mcp add",
    help: "With `mcp add`: a header for the server; $NAME in it is read when the server is called.",
  },
  env: {
    type: "string",
    value: "name=value",
    group: "Other",
    belongsTo: "mcp add",
    help: "With `mcp add`: a variable for the server; $NAME in it is read when the server starts.",
  },
  branch: {
    type: "boolean",
    group: "Session",
    belongsTo: "sessions export",
    help: "With `sessions export`: only the branch that leads to the position.",
  },
  output: {
    type: "string",
    short: "o",
    value: "file",
    group: "Session",
    belongsTo: "export",
    help: "With `export`: the file of the page, - for standard output; default: the session's id with .html.",
  },
  redact: {
    type: "boolean",
    group: "Session",
    belongsTo: "export, sessions export",
    excludes: ["no-redact"],
    help: "With `export` and `sessions export`: replace secrets of known forms by placeholders (default).",
  },
  "no-redact": {
    type: "boolean",
    group: "Session",
    belongsTo: "export, sessions export",
    help: "With `export` and `sessions export`: leave secrets where they are.",
  },
  sessions: {
    type: "string",
    value: "n",
    group: "Other",
    belongsTo: "eval",
    help: "With `eval`: how many sessions each agent lives through; default 3.",
  },
  compactions: {
    type: "string",
    value: "n",
    group: "Other",
    belongsTo: "eval",
    help: "With `eval`: how often each is compacted at least; default 3.",
  },
  seed: {
    type: "string",
    value: "n",
    group: "Other",
    belongsTo: "eval",
    help: "With `eval`: which sessions; the same number gives the same ones.",
  },
  help: { type: "boolean", short: "h", group: "Other", help: "Show this help." },
  version: { type: "boolean", short: "v", group: "Other", help: "Show the version." },
} as const satisfies Readonly<Record<string, FlagRow>>;

export type FlagName = keyof typeof FLAGS;

/** The flags that were given. */
export type FlagValues = {
  readonly [Name in FlagName]?: ValueOf<(typeof FLAGS)[Name]>;
};

type ValueOf<Row extends FlagRow> = Row extends { readonly isRepeatable: true }
  ? readonly string[]
  : Row["type"] extends "boolean"
    ? boolean
    : string;
