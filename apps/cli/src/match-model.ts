import { type Model, modelName } from "@coppice/ai";
import { CliError } from "./cli-error.ts";

const MAX_SUGGESTIONS = 5;

export interface MatchModelOptions {
  readonly models: readonly Model[];
  /** Whether a model's provider has what it needs to be asked. */
  readonly isUsable: (model: Model) => boolean;
}

/**
 * The model that a pattern names: `provider/id`, an id, or a part of either.
 *
 * An exact name beats an exact id beats a part; of several, those that can be used beat the others. What is still
 * ambiguous is an error that lists the candidates (fault kind CL-03). Throws `CliError` `unknown_model`.
 */
export function matchModel(pattern: string, { models, isUsable }: MatchModelOptions): Model {
  const wanted = pattern.trim().toLowerCase();
  const steps: readonly ((model: Model) => boolean)[] = [
    (model) => modelName(model).toLowerCase() === wanted,
    (model) => model.id.toLowerCase() === wanted,
    (model) => modelName(model).toLowerCase().includes(wanted),
  ];
  for (const matches of steps) {
    const found = models.filter(matches);
    const usable = found.filter(isUsable);
    const best = usable.length > 0 ? usable : found;
    const [only] = best;
    if (best.length === 1 && only !== undefined) return only;
    if (best.length > 1) throw ambiguous(pattern, best);
  }
  throw new CliError("unknown_model", `No model is named "${pattern}"`);
}

function ambiguous(pattern: string, models: readonly Model[]): CliError {
  const names = models.slice(0, MAX_SUGGESTIONS).map(modelName).join(", ");
  const more = models.length > MAX_SUGGESTIONS ? `, and ${models.length - MAX_SUGGESTIONS} more` : "";
  return new CliError("unknown_model", `"${pattern}" may be ${names}${more}`, {
    advice: "Name one of them in full.",
  });
}
