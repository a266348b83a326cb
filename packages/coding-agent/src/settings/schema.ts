import { THINKING_LEVELS, type ThinkingLevel } from "@coppice/ai";
import { type Static, Type } from "typebox";
import { PERMISSION_MODES, type PermissionMode } from "../permissions/permission-policy.ts";

const closed = { additionalProperties: false } as const;
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const positive = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

const compactionFields = {
  enabled: flag("Compact automatically."),
  background: flag("Prepare the summary ahead of the trigger."),
  maskEarly: flag("Show old tool results shorter ahead of the trigger, where prices say that it pays."),
  reserveTokens: count("Free space, in tokens, at which compaction starts."),
  keepRecentTokens: count("Recent history, in tokens, that stays verbatim."),
  threshold: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: "Share of the window at which compaction starts.",
    }),
  ),
  minTurnsToKeep: count("User turns that stay verbatim where they fit."),
  maxMessages: positive("User and assistant messages at which compaction starts."),
  maxSummaryTokens: positive("Cap on a summary, in tokens."),
  summaryModel: text("provider/model that writes summaries."),
  preserveRecentFiles: count("Recently touched files that a summary names."),
  preserveSystemPrompt: flag("Keep the system prompt unchanged over a compaction."),
  preserveTools: flag("Keep the active tools unchanged over a compaction."),
  branchSummary: Type.Optional(
    Type.Object(
      {
        maxSummaryTokens: positive("Cap on a branch summary."),
        reserveTokens: count("Free space left beside it."),
      },
      closed,
    ),
  ),
};

const permissionRules = {
  allow: texts("Calls that need no question, as tool or tool(pattern)."),
  ask: texts("Calls that are always asked for."),
  deny: texts("Calls that are forbidden."),
};

/** Settings as users write them. Every field is optional; the descriptions are for editors. */
export const SettingsSchema = Type.Object(
  {
    $schema: text("Address of this schema, for editors."),
    model: text("provider/model, or a part of it."),
    thinkingLevel: Type.Optional(
      Type.Unsafe<ThinkingLevel>(
        Type.Union(
          THINKING_LEVELS.map((level) => Type.Literal(level)),
          { description: "How much the model thinks." },
        ),
      ),
    ),
    tools: texts("Tools that are active at the start."),
    sessionDir: text("Where sessions are kept."),
    flushPolicy: Type.Optional(Type.Union([Type.Literal("message"), Type.Literal("turn")])),
    theme: text("Colours of the terminal."),
    compaction: Type.Optional(
      Type.Object(
        {
          ...compactionFields,
          modelOverrides: Type.Optional(Type.Record(Type.String(), Type.Object(compactionFields, closed))),
        },
        { ...closed, description: "When the context is made smaller." },
      ),
    ),
    retry: Type.Optional(
      Type.Object(
        {
          enabled: flag("Try transient failures again."),
          maxAttempts: count("Retries after the first attempt."),
          baseDelayMs: count("Wait before the first retry; it doubles."),
          maxDelayMs: count("Longest wait."),
        },
        closed,
      ),
    ),
    request: Type.Optional(
      Type.Object(
        {
          firstByteTimeoutMs: positive("Longest wait for the beginning of an answer; default 600000."),
          idleTimeoutMs: positive("Longest silence within an answer; default 300000."),
        },
        { ...closed, description: "How long a server is waited for." },
      ),
    ),
    permissions: Type.Optional(
      Type.Object(
        {
          mode: Type.Optional(
            // A list that is mapped has lost its members for the compiler.
            Type.Unsafe<PermissionMode>(Type.Union(PERMISSION_MODES.map((mode) => Type.Literal(mode)))),
          ),
          ...permissionRules,
          projects: Type.Optional(
            Type.Record(Type.String(), Type.Object(permissionRules, closed), {
              description:
                "More rules for single projects, by absolute path; counts in the user's file only.",
            }),
          ),
        },
        { ...closed, description: "What tools may do. The rules of all files add up." },
      ),
    ),
    snapshots: Type.Optional(
      Type.Object(
        {
          maxAgeDays: positive("Days after its last use in which a session can still put files back."),
          maxMegabytes: positive("What file versions of one project may take, in MiB."),
        },
        { ...closed, description: "How long it is kept what files held before the agent changed them." },
      ),
    ),
    extensions: texts(
      "Extensions to load: files, folders or packages. Paths begin in the folder of this file.",
    ),
    skills: texts(
      "More folders with skills; relative ones begin in the folder of this file, ~ is the home directory.",
    ),
    prompts: texts("More folders with prompt templates, written like those of skills."),
    enableSkillCommands: flag("Offer /skill:name."),
  },
  { title: "Coppice settings", ...closed },
);

export type Settings = Static<typeof SettingsSchema>;

/** The JSON Schema of settings files, as editors want it. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  const plain = JSON.parse(JSON.stringify(SettingsSchema)) as Record<string, unknown>;
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...plain };
}
