import type { Model } from "../model.ts";

/** A known model as the catalogue holds it: the provider is the file's name. */
export type CatalogueEntry = Omit<Model, "provider">;
