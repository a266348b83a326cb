import { vendors } from "@coppice/ai";
import { AuthStore, createLocalConfigFiles, type OAuthServer } from "@coppice/coding-agent";
import type { Layout } from "./layout.ts";
import { logIn } from "./log-in.ts";

export interface StoreKeyOptions {
  readonly layout: Pick<Layout, "pick" | "input">;
  /** Path of `auth.json`. */
  readonly authFile: string;
  /** Provider → where people log in with it instead. */
  readonly logins: ReadonlyMap<string, OAuthServer>;
}

/**
 * Asks for a provider and its key, or logs in with it, and stores that; the provider, or undefined when it was left.
 *
 * Throws `config_*`, `login_failed`.
 */
export async function storeKey({ layout, authFile, logins }: StoreKeyOptions): Promise<string | undefined> {
  const store = new AuthStore({ files: createLocalConfigFiles(), path: authFile });
  const stored = new Set((await store.list()).map(({ provider }) => provider));
  const provider = await layout.pick({
    title: ["Whose key?"],
    choices: [
      ...[...logins.keys()].map((name) => ({
        ...{ value: name, label: name },
        description: stored.has(name) ? "log in again" : "log in",
      })),
      ...Object.entries(vendors)
        .filter(([name, { keyVariables }]) => keyVariables.length > 0 && !logins.has(name))
        .map(([name]) => ({
          ...{ value: name, label: name },
          ...(stored.has(name) ? { description: "has one" } : {}),
        })),
    ],
  });
  if (provider === undefined) return undefined;
  const server = logins.get(provider);
  if (server !== undefined) {
    const login = await logIn({ layout, provider, server });
    if (login === undefined) return undefined;
    await store.set(provider, login);
    return provider;
  }
  const key = await layout.input({
    title: [`The key of ${provider}; it is kept in ${authFile}, for you alone to read.`],
    isSecret: true,
  });
  if (key === undefined || key.trim() === "") return undefined;
  await store.set(provider, { type: "api_key", key: key.trim() });
  return provider;
}
