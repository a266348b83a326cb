import type { Model } from "@coppice/ai";

/** The built-in models. */
export async function loadCatalogue(): Promise<readonly Model[]> {
  return [];
}
