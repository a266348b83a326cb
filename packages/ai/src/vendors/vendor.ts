import type { Model } from "../model.ts";

/** A known model as its vendor's folder holds it: the provider is the folder's name. */
export type CatalogueEntry = Omit<Model, "provider">;

/** A company or a server that offers models over wire formats that are spoken here. */
export interface Vendor {
  /** Variables that may hold its key, in order of preference. Hosts read them; nothing here does. */
  readonly keyVariables: readonly string[];
  /** Its models, loaded when first asked for. */
  readonly load: () => Promise<{ readonly models: readonly CatalogueEntry[] }>;
}
