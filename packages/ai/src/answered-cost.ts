import type { AssistantMessage } from "./message.ts";
import type { ModelCost } from "./model.ts";
import { usageWithCost } from "./usage.ts";
import { vendors } from "./vendors/vendors.ts";

/** The prices of a model by provider and id; undefined where they are not known. */
export type CostLookup = (
  provider: string,
  id: string,
) => ModelCost | undefined | Promise<ModelCost | undefined>;

/** The catalogue's prices; loads a vendor's models when first asked for one. */
export async function catalogueCost(provider: string, id: string): Promise<ModelCost | undefined> {
  const vendor = Object.hasOwn(vendors, provider) ? vendors[provider] : undefined;
  return (await vendor?.load())?.models.find((model) => model.id === id)?.cost;
}

/**
 * A message whose cost is that of the model which answered, where a relay used another one than was asked for.
 *
 * What a provider billed itself stays, and so does the cost by the model asked for where the other's is not known.
 */
export async function withAnsweredCost(
  message: AssistantMessage,
  costFor: CostLookup,
): Promise<AssistantMessage> {
  const { responseModel, usage, provider } = message;
  if (responseModel === undefined || usage.totalTokens === 0 || usage.cost.totalFromProvider) return message;
  const cost = await costFor(provider, responseModel);
  if (cost === undefined) return message;
  const { cost: _, totalTokens: __, ...counts } = usage;
  return { ...message, usage: usageWithCost(counts, { cost }) };
}
