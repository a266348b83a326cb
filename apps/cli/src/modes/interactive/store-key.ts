import type { OAuthServer } from "@coppice/coding-agent";
import { CliError } from "../../cli-error.ts";
import { authStore, loginProviders } from "../../login-providers.ts";
import type { Layout } from "./layout.ts";
import { logIn } from "./log-in.ts";

export interface StoreKeyOptions {
  readonly layout: Pick<Layout, "pick" | "input">;
  /** Path of `auth.json`. */
  readonly authFile: string;
  /** Provider → where people log in with it instead. */
  readonly logins: ReadonlyMap<string, OAuthServer>;
  /** The provider, where the person has said which one; absent: they are asked. */
  readonly named?: string;
}

/**
 * Asks for a provider and its key, or logs in with it, and stores that; the provider, or undefined when it was left.
 *
 * Throws `config_*`, `login_failed`, `CliError` `usage` for a name that no provider has.
 */
export async function storeKey(options: StoreKeyOptions): Promise<string | undefined> {
  const { layout, authFile, logins } = options;
  const store = authStore(authFile);
  const provider = await chosenProvider(options);
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

async function chosenProvider(options: StoreKeyOptions): Promise<string | undefined> {
  const { layout, named } = options;
  const offered = await choices(options);
  if (named === undefined) return layout.pick({ title: ["Whose key?"], choices: offered });
  if (offered.some(({ value }) => value === named)) return named;
  throw new CliError("usage", `No provider "${named}" takes a key or a login here`, {
    advice: "/login shows those that do; a provider of your own is declared in models.json.",
  });
}

async function choices({ logins, authFile }: Pick<StoreKeyOptions, "logins" | "authFile">) {
  return (await loginProviders({ logins }, authFile)).map(({ provider, isStored }) => {
    const choice = { value: provider, label: provider };
    if (logins.has(provider)) return { ...choice, description: isStored ? "log in again" : "log in" };
    return isStored ? { ...choice, description: "has one" } : choice;
  });
}
