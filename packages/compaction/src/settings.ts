import { type Model, modelName } from "@coppice/ai";
import { CompactionError } from "./errors.ts";

/** When the context is shrunk and what stays. Counts ending in `Tokens` are tokens. */
export interface CompactionSettings {
  /** Automatic compaction. */
  readonly enabled: boolean;
  /** Whether the host may prepare the summary ahead of the trigger. */
  readonly background: boolean;
  /** Old tool results are shown shorter ahead of the trigger, where the model's prices say that it pays. */
  readonly maskEarly: boolean;
  /** Free space at which compaction starts. */
  readonly reserveTokens: number;
  /** Recent history that stays verbatim. */
  readonly keepRecentTokens: number;
  /** Share of the window, in (0, 1], at which compaction starts as well; whichever of the two comes first. */
  readonly threshold?: number;
  /** User turns that stay verbatim where they fit. */
  readonly minTurnsToKeep: number;
  /** User and assistant messages since the last compaction at which compaction starts as well. */
  readonly maxMessages?: number;
  /** Cap on a summary's output; absent = the model's own limit. */
  readonly maxSummaryTokens?: number;
  /** `provider/model` that writes summaries; absent = the session's model. */
  readonly summaryModel?: string;
  /** Most recently touched files that a summary names with their last operation. */
  readonly preserveRecentFiles: number;
  /** True: the prompt in force goes on unchanged after a compaction. */
  readonly preserveSystemPrompt: boolean;
  /** True: the active tools go on unchanged after a compaction. */
  readonly preserveTools: boolean;
  readonly branchSummary: { readonly maxSummaryTokens: number; readonly reserveTokens: number };
  /** Fields per `provider/model`. */
  readonly modelOverrides?: Readonly<Record<string, CompactionOverride>>;
}

/** Any subset of the settings of one model. */
type CompactionOverride = Partial<Omit<CompactionSettings, "branchSummary" | "modelOverrides">> & {
  readonly branchSummary?: Partial<CompactionSettings["branchSummary"]>;
};

/** What people write: any subset of the settings. */
export type CompactionSettingsInput = CompactionOverride & Pick<CompactionSettings, "modelOverrides">;

export const DEFAULT_COMPACTION_SETTINGS: CompactionSettings = {
  enabled: true,
  background: true,
  maskEarly: true,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
  minTurnsToKeep: 1,
  preserveRecentFiles: 5,
  preserveSystemPrompt: true,
  preserveTools: true,
  branchSummary: { maxSummaryTokens: 2048, reserveTokens: 16_384 },
};

/** Named groups of settings. `ratio` compacts by share of the window and by message count, with short summaries. */
export const COMPACTION_PRESETS = {
  ratio: { threshold: 0.75, minTurnsToKeep: 2, maxSummaryTokens: 4096, maxMessages: 20 },
} as const satisfies Readonly<Record<string, CompactionSettingsInput>>;

/** Window assumed for a model that does not say its own: small, since such servers are mostly local ones. */
export const FALLBACK_CONTEXT_WINDOW = 32_768;

/** Share of a window that the default reserve takes at most. */
const DEFAULT_RESERVE_SHARE = 0.25;
/** Share of a window that the default recent history takes at most: low, so that each compaction frees much. */
const DEFAULT_KEEP_SHARE = 0.2;

export interface ResolvedCompactionSettings extends CompactionSettings {
  /** The window, or the fallback where the model names none. */
  readonly contextWindow: number;
  /** Compaction starts above this size. */
  readonly triggerTokens: number;
  /** Values that were clamped, for the user to see. */
  readonly diagnostics: readonly string[];
}

export interface ResolveCompactionSettingsOptions {
  readonly settings?: CompactionSettingsInput;
  /** Picks the entry of `modelOverrides`. */
  readonly model?: Pick<Model, "provider" | "id">;
  readonly contextWindow: number | undefined;
}

/**
 * The settings in force for one model: override, then plain value, then default, field by field.
 *
 * Defaults scale down with small windows; explicit values that cannot work in the window are clamped with a diagnostic.
 * Throws `CompactionError` `invalid_settings` for a value that is no safe non-negative integer (or ratio, switch, name).
 */
export function resolveCompactionSettings(
  options: ResolveCompactionSettingsOptions,
): ResolvedCompactionSettings {
  const given = givenSettings(options.settings ?? {}, options.model);
  validateCompactionSettings(given);
  const defaults = DEFAULT_COMPACTION_SETTINGS;
  const merged = {
    ...defaults,
    ...given,
    branchSummary: { ...defaults.branchSummary, ...given.branchSummary },
  };
  const diagnostics: string[] = [];
  const contextWindow = usableWindow(options.contextWindow);
  if (contextWindow !== options.contextWindow) {
    diagnostics.push(
      `The model names no usable context window (${options.contextWindow}); ${contextWindow} is assumed.`,
    );
  }
  const reserveTokens = scaleReserve(given.reserveTokens, contextWindow, diagnostics);
  const triggerTokens = triggerTokensOf({ contextWindow, settings: { ...merged, reserveTokens } });
  const keepRecentTokens = scaleKeep(given.keepRecentTokens, contextWindow, triggerTokens, diagnostics);
  const branchReserve = scaleBranchReserve(given.branchSummary?.reserveTokens, contextWindow, diagnostics);
  return {
    ...merged,
    reserveTokens,
    keepRecentTokens,
    branchSummary: { ...merged.branchSummary, reserveTokens: branchReserve },
    contextWindow,
    triggerTokens,
    diagnostics,
  };
}

/** A window that can be worked with: the given one, or the fallback for none, zero and nonsense. */
export function usableWindow(contextWindow: number | undefined): number {
  return contextWindow !== undefined && Number.isFinite(contextWindow) && contextWindow > 0
    ? Math.floor(contextWindow)
    : FALLBACK_CONTEXT_WINDOW;
}

/** Size above which compaction starts; always more than half the window, unless `threshold` asks for less. */
export function triggerTokensOf(options: {
  readonly contextWindow: number | undefined;
  readonly settings: Pick<CompactionSettings, "reserveTokens" | "threshold">;
}): number {
  const contextWindow = usableWindow(options.contextWindow);
  const byReserve = contextWindow - Math.min(options.settings.reserveTokens, largestReserve(contextWindow));
  const { threshold } = options.settings;
  return threshold === undefined ? byReserve : Math.min(byReserve, Math.floor(contextWindow * threshold));
}

/** Throws `invalid_settings` naming the field and the value; checks nothing that depends on a window. */
export function validateCompactionSettings(settings: CompactionSettingsInput): void {
  const counts = {
    reserveTokens: settings.reserveTokens,
    keepRecentTokens: settings.keepRecentTokens,
    minTurnsToKeep: settings.minTurnsToKeep,
    preserveRecentFiles: settings.preserveRecentFiles,
    "branchSummary.reserveTokens": settings.branchSummary?.reserveTokens,
  };
  const positiveCounts = {
    maxMessages: settings.maxMessages,
    maxSummaryTokens: settings.maxSummaryTokens,
    "branchSummary.maxSummaryTokens": settings.branchSummary?.maxSummaryTokens,
  };
  for (const [field, value] of Object.entries(counts)) checkCount(field, value, 0);
  for (const [field, value] of Object.entries(positiveCounts)) checkCount(field, value, 1);
  const { threshold, summaryModel } = settings;
  if (threshold !== undefined && !(threshold > 0 && threshold <= 1)) {
    throw invalid("threshold", threshold, "a ratio above 0 and at most 1");
  }
  for (const field of SWITCHES) {
    const value = settings[field];
    if (value !== undefined && typeof value !== "boolean") throw invalid(field, value, "true or false");
  }
  if (summaryModel !== undefined && (typeof summaryModel !== "string" || summaryModel.trim() === "")) {
    throw invalid("summaryModel", summaryModel, "the name of a model");
  }
}

const SWITCHES = ["enabled", "background", "maskEarly", "preserveSystemPrompt", "preserveTools"] as const;

function checkCount(field: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw invalid(field, value, `a whole number of at least ${least}`);
}

function invalid(field: string, value: unknown, expected: string): CompactionError {
  return new CompactionError({
    code: "invalid_settings",
    message: `The setting compaction.${field} is ${JSON.stringify(value)}, but must be ${expected}.`,
    data: { field, value },
  });
}

/** What people wrote for a model: override, then plain value. */
function givenSettings(
  settings: CompactionSettingsInput,
  model: Pick<Model, "provider" | "id"> | undefined,
): CompactionSettingsInput {
  const override: CompactionSettingsInput =
    (model === undefined ? undefined : settings.modelOverrides?.[modelName(model)]) ?? {};
  return {
    ...withoutUndefined(settings),
    ...withoutUndefined(override),
    branchSummary: {
      ...withoutUndefined(settings.branchSummary ?? {}),
      ...withoutUndefined(override.branchSummary ?? {}),
    },
  };
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;
}

/** The largest reserve that leaves the trigger above half the window. */
function largestReserve(contextWindow: number): number {
  return Math.max(0, Math.ceil(contextWindow / 2) - 1);
}

function scaleReserve(
  reserveTokens: number | undefined,
  contextWindow: number,
  diagnostics: string[],
): number {
  if (reserveTokens === undefined) {
    const scaled = Math.floor(contextWindow * DEFAULT_RESERVE_SHARE);
    return Math.min(DEFAULT_COMPACTION_SETTINGS.reserveTokens, scaled);
  }
  const largest = largestReserve(contextWindow);
  if (reserveTokens <= largest) return reserveTokens;
  diagnostics.push(
    `compaction.reserveTokens ${reserveTokens} is too much for a window of ${contextWindow}; ${largest} is used.`,
  );
  return largest;
}

function scaleBranchReserve(
  reserveTokens: number | undefined,
  contextWindow: number,
  diagnostics: string[],
): number {
  const largest = Math.floor(contextWindow / 2);
  const reserve = reserveTokens ?? DEFAULT_COMPACTION_SETTINGS.branchSummary.reserveTokens;
  if (reserveTokens !== undefined && reserveTokens > largest) {
    diagnostics.push(
      `compaction.branchSummary.reserveTokens ${reserveTokens} is too much for a window of ${contextWindow}; ${largest} is used.`,
    );
  }
  return Math.min(reserve, largest);
}

function scaleKeep(
  keepRecentTokens: number | undefined,
  contextWindow: number,
  triggerTokens: number,
  diagnostics: string[],
): number {
  if (keepRecentTokens === undefined) {
    const share = Math.min(contextWindow * DEFAULT_KEEP_SHARE, triggerTokens / 2);
    return Math.min(DEFAULT_COMPACTION_SETTINGS.keepRecentTokens, Math.floor(share));
  }
  if (keepRecentTokens < triggerTokens) return keepRecentTokens;
  const largest = Math.floor(triggerTokens / 2);
  diagnostics.push(
    `compaction.keepRecentTokens ${keepRecentTokens} is not below the trigger of ${triggerTokens}; ${largest} is used.`,
  );
  return largest;
}
