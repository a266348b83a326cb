import type { ModelChoice } from "./model-pattern.ts";
import { createModelRegistry } from "./model-registry.ts";

const catalogue = createModelRegistry();

/** The catalogue's model for a name: `provider/id`, an id, or an unambiguous pattern, with an optional `:level`. */
export function findModel(name: string): Promise<ModelChoice> {
  return catalogue.find(name);
}
