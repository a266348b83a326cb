import type { ConfigFiles } from "../config/config-files.ts";
import { editJsonc } from "../config/edit-jsonc.ts";
import { parseJsonc } from "../config/jsonc.ts";
import { CodingAgentError } from "../errors.ts";
import type { Credential, OAuthCredential } from "./credential.ts";

export interface AuthStoreOptions {
  readonly files: ConfigFiles;
  /** Of `auth.json`. */
  readonly path: string;
}

/**
 * The credentials of a user, one a provider, in a file that only they can read.
 *
 * Nothing is remembered: every question reads the file. Errors are `invalid_key` for a file or an entry that cannot be
 * understood (never with its content) and those of `ConfigFiles`; a locked file is never taken for one without keys.
 */
export class AuthStore {
  readonly #options: AuthStoreOptions;
  readonly #exchanges = new Set<Promise<unknown>>();

  constructor(options: AuthStoreOptions) {
    this.#options = options;
  }

  async get(provider: string): Promise<Credential | undefined> {
    const { files, path } = this.#options;
    return this.#in(await files.read(path), provider);
  }

  /** Providers with a credential and its kind; no secrets. */
  async list(): Promise<readonly { readonly provider: string; readonly type: Credential["type"] }[]> {
    const { files, path } = this.#options;
    const entries = await this.#entries(await files.read(path));
    return entries.flatMap(([provider, value]) =>
      isCredential(value) ? [{ provider, type: value.type }] : [],
    );
  }

  /** Stores a credential; resolves once it has been read back. */
  async set(provider: string, credential: Credential): Promise<void> {
    await this.#change((text) => this.#with(text, provider, credential));
    const stored = await this.get(provider);
    if (JSON.stringify(stored) === JSON.stringify(credential)) return;
    throw new CodingAgentError({
      code: "config_unwritable",
      message: `The key of ${provider} did not arrive in ${this.#options.path}.`,
    });
  }

  async remove(provider: string): Promise<void> {
    await this.#change((text) => (text === undefined ? undefined : this.#with(text, provider, undefined)));
  }

  /**
   * Exchanges a login while no other process does. `exchange` gets what is stored now, which another process may have
   * renewed; what it returns is stored, also when nobody waits for it any more.
   */
  exchange(
    provider: string,
    exchange: (stored: OAuthCredential) => Promise<OAuthCredential>,
  ): Promise<OAuthCredential | undefined> {
    const work = this.#exchange(provider, exchange);
    this.#exchanges.add(work);
    const done = () => this.#exchanges.delete(work);
    work.then(done, done);
    return work;
  }

  /**
   * Resolves when no exchange is under way. Wait for it before the process ends: a server that has given out a new token
   * takes the old one no longer.
   */
  async settled(): Promise<void> {
    while (this.#exchanges.size > 0) await Promise.allSettled(this.#exchanges);
  }

  async #exchange(
    provider: string,
    exchange: (stored: OAuthCredential) => Promise<OAuthCredential>,
  ): Promise<OAuthCredential | undefined> {
    let used: OAuthCredential | undefined;
    let result: OAuthCredential | undefined;
    const store = async (text: string | undefined) => {
      const stored = await this.#in(text, provider);
      if (stored?.type !== "oauth") return undefined;
      // Only what was exchanged is replaced: a new login counts more than a renewal of the old one.
      if (used !== undefined && used.refresh !== stored.refresh) return undefined;
      used = stored;
      result ??= await exchange(stored);
      return result === stored ? undefined : this.#with(text, provider, { ...stored, ...result });
    };
    try {
      await this.#change(store);
    } catch (error) {
      // The lock was lost while the server answered, as when the machine slept: the new token must not be.
      if (result === undefined) throw error;
      await this.#change(store);
    }
    return result;
  }

  async #change(change: (text: string | undefined) => string | undefined | Promise<string | undefined>) {
    const { files, path } = this.#options;
    await files.update(path, change, { isPrivate: true });
  }

  async #with(text: string | undefined, provider: string, value: Credential | undefined): Promise<string> {
    await this.#entries(text);
    return editJsonc(text ?? "", { path: [provider], value });
  }

  async #in(text: string | undefined, provider: string): Promise<Credential | undefined> {
    const value = (await this.#entries(text)).find(([name]) => name === provider)?.[1];
    if (value === undefined || isCredential(value)) return value;
    throw this.#invalid(`the entry of ${provider}`);
  }

  async #entries(text: string | undefined): Promise<readonly (readonly [string, unknown])[]> {
    if (text === undefined || text.trim() === "") return [];
    let value: unknown;
    try {
      value = await parseJsonc(text);
    } catch {
      // The error would quote a place, never the text; still, a file of secrets says nothing but its name.
      throw this.#invalid("the file");
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.#invalid("the file");
    return Object.entries(value);
  }

  #invalid(what: string): CodingAgentError {
    return new CodingAgentError({
      code: "invalid_key",
      message: `${this.#options.path} cannot be used: ${what} is not of the form it should have.`,
      data: { path: this.#options.path },
    });
  }
}

function isCredential(value: unknown): value is Credential {
  const { type, key, access, refresh, expiresAtMs } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "api_key") return typeof key === "string" && key !== "";
  return (
    type === "oauth" &&
    typeof access === "string" &&
    typeof refresh === "string" &&
    typeof expiresAtMs === "number"
  );
}
