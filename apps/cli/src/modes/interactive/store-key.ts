import { vendors } from "@coppice/ai";
import { AuthStore, createLocalConfigFiles } from "@coppice/coding-agent";
import type { Layout } from "./layout.ts";

export interface StoreKeyOptions {
  readonly layout: Pick<Layout, "pick" | "input">;
  /** Path of `auth.json`. */
  readonly authFile: string;
}

/** Asks for a provider and its key, and stores it; the provider, or undefined when it was left. Throws `config_*`. */
export async function storeKey({ layout, authFile }: StoreKeyOptions): Promise<string | undefined> {
  const store = new AuthStore({ files: createLocalConfigFiles(), path: authFile });
  const stored = new Set((await store.list()).map(({ provider }) => provider));
  const provider = await layout.pick({
    title: ["Whose key?"],
    choices: Object.entries(vendors)
      .filter(([, { keyVariables }]) => keyVariables.length > 0)
      .map(([name]) => ({
        value: name,
        label: name,
        ...(stored.has(name) ? { description: "has one" } : {}),
      })),
  });
  if (provider === undefined) return undefined;
  const key = await layout.input({
    title: [`The key of ${provider}; it is kept in ${authFile}, for you alone to read.`],
    isSecret: true,
  });
  if (key === undefined || key.trim() === "") return undefined;
  await store.set(provider, { type: "api_key", key: key.trim() });
  return provider;
}
