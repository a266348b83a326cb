import type { AuthStore } from "./auth-store.ts";
import type { OAuthCredential, OAuthFlow } from "./credential.ts";
import { resolveSecret, type SecretSources } from "./resolve-secret.ts";

/** Where a key came from, in the order in which they are asked. */
export type KeySource = "flag" | "login" | "config" | "environment";

export interface ResolvedKey {
  readonly key: string;
  readonly source: KeySource;
}

export interface KeyResolverOptions {
  readonly store: AuthStore;
  readonly secrets: SecretSources;
  /** The key of the command line. */
  readonly flag?: (provider: string) => string | undefined;
  /** The text that the models file has for a provider; resolved as a secret. */
  readonly configured?: (provider: string) => string | undefined;
  /** The vendor's own variable; not asked where `hasOwnAddress`. */
  readonly environment?: (provider: string) => string | undefined;
  /** Whether a provider was given an address by the user: a vendor's key from the environment must not go there. */
  readonly hasOwnAddress?: (provider: string) => boolean;
  readonly flows?: Readonly<Record<string, OAuthFlow>>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A token with less time left is renewed before it is used. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Shorter than the time after which others take our lock for abandoned. */
const REFRESH_TIMEOUT_MS = 8000;

/**
 * The key for a provider, worked out anew for every request; undefined = there is none.
 *
 * A login that cannot be renewed concerns that provider only: it rejects, and others go on.
 */
export function createKeyResolver(
  options: KeyResolverOptions,
): (provider: string) => Promise<ResolvedKey | undefined> {
  const { store, secrets, flag, configured, environment, hasOwnAddress } = options;
  return async (provider) => {
    const given = flag?.(provider);
    if (given !== undefined) return { key: given, source: "flag" };
    const stored = await store.get(provider);
    if (stored?.type === "api_key") {
      return { key: await resolveSecret(stored.key, secrets), source: "login" };
    }
    if (stored !== undefined) return { key: await accessToken(provider, stored, options), source: "login" };
    const text = configured?.(provider);
    if (text !== undefined) return { key: await resolveSecret(text, secrets), source: "config" };
    const key = hasOwnAddress?.(provider) === true ? undefined : environment?.(provider);
    return key === undefined || key === "" ? undefined : { key, source: "environment" };
  };
}

/** One renewal among all processes; once asked for, its result is stored even when nobody waits for it any more. */
async function accessToken(
  provider: string,
  stored: OAuthCredential,
  { store, flows, now }: KeyResolverOptions,
): Promise<string> {
  const isFresh = (credential: OAuthCredential) => credential.expiresAtMs - now() > RENEW_BEFORE_MS;
  const flow = flows !== undefined && Object.hasOwn(flows, provider) ? flows[provider] : undefined;
  if (isFresh(stored) || flow === undefined) return stored.access;
  const renewed = await store.exchange(provider, (current) =>
    isFresh(current)
      ? Promise.resolve(current)
      : flow.refresh(current, AbortSignal.timeout(REFRESH_TIMEOUT_MS)),
  );
  return (renewed ?? stored).access;
}
