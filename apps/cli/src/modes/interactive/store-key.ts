import type { OAuthServer } from "@coppice/coding-agent";
import { authStore, loginProviders } from "../../login-providers.ts";
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
  const store = authStore(authFile);
  const provider = await layout.pick({ title: ["Whose key?"], choices: await choices({ logins, authFile }) });
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

async function choices({ logins, authFile }: Pick<StoreKeyOptions, "logins" | "authFile">) {
  return (await loginProviders({ logins }, authFile)).map(({ provider, isStored }) => {
    const said = logins.has(provider) ? (isStored ? "log in again" : "log in") : isStored && "has one";
    return { value: provider, label: provider, ...(said === false ? {} : { description: said }) };
  });
}
