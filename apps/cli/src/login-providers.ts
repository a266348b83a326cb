import { vendors } from "@coppice/ai";
import {
  AuthStore,
  createLocalConfigFiles,
  type LoginWay,
  loginWays,
  type OAuthServer,
} from "@coppice/coding-agent";
import { CliError } from "./cli-error.ts";
import type { KnownModels } from "./known-models.ts";

/** A provider that one can log in with, or whose key can be stored. */
export interface LoginProvider {
  readonly provider: string;
  /** `key` = it has no login and takes a key. */
  readonly ways: readonly (LoginWay | "key")[];
  /** Whether `auth.json` holds something of it. */
  readonly isStored: boolean;
}

/** Providers with a login first, then those that take a key. Throws `config_*`. */
export async function loginProviders(
  { logins }: Pick<KnownModels, "logins">,
  authFile: string,
): Promise<readonly LoginProvider[]> {
  const stored = new Set((await authStore(authFile).list()).map(({ provider }) => provider));
  const withKeys = Object.entries(vendors)
    .filter(([name, { keyVariables }]) => keyVariables.length > 0 && !logins.has(name))
    .map(([name]) => [name, ["key"]] as const);
  const withLogins = [...logins].map(([name, server]) => [name, loginWays(server)] as const);
  return [...withLogins, ...withKeys].map(([provider, ways]) => ({
    ...{ provider, ways, isStored: stored.has(provider) },
  }));
}

/** Where to log in with a provider, and how. Throws `CliError` `usage` where it cannot be done, or not by that way. */
export function loginServer(
  { logins }: Pick<KnownModels, "logins">,
  provider: string,
  way: string | undefined,
): { readonly server: OAuthServer; readonly way?: LoginWay } {
  const server = logins.get(provider);
  if (server === undefined) {
    const names = [...logins.keys()];
    const there = names.length === 0 ? "none says so" : `these do: ${names.join(", ")}`;
    throw new CliError("usage", `There is no way known to log in to "${provider}"`, {
      advice: `models.json declares one in its field \`oauth\`, and ${there}. \`coppice auth set ${provider}\` stores a key instead.`,
    });
  }
  const ways = loginWays(server);
  const chosen = way === undefined ? undefined : ways.find((one) => one === way);
  if (way !== undefined && chosen === undefined) {
    throw new CliError("usage", `${provider} offers no login by "${way}"`, {
      advice: `It offers: ${ways.join(", ")}.`,
    });
  }
  return { server, ...(chosen === undefined ? {} : { way: chosen }) };
}

/** Throws `CliError` `usage` for a provider of which no model is known: its key would serve nothing. */
export async function requireProvider(known: Pick<KnownModels, "list">, provider: string): Promise<void> {
  if ((await known.list(provider)).length > 0) return;
  throw new CliError("usage", `No model of a provider "${provider}" is known`, {
    advice: "`coppice models` shows them; a provider of your own is declared in models.json.",
  });
}

/** What is stored in `auth.json`. */
export function authStore(path: string): AuthStore {
  return new AuthStore({ files: createLocalConfigFiles(), path });
}
