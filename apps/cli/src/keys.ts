import { isCoppiceError, ProviderError } from "@coppice/ai";
import {
  AuthStore,
  createKeyResolver,
  createLocalConfigFiles,
  createLocalEnvironment,
  createTokenFlow,
  type DeclaredKey,
  type OAuthFlow,
  type OAuthServer,
  shellSecrets,
} from "@coppice/coding-agent";
import { CliError } from "./cli-error.ts";
import { type CliEnvironment, CUSTOM_KEY_VARIABLE } from "./env.ts";
import { SERVER_PROVIDER } from "./server-model.ts";

export interface KeysOptions {
  readonly environment: Pick<CliEnvironment, "get" | "keyFor" | "forCommands">;
  readonly userDirectory: string;
  /** Path of `auth.json`. */
  readonly authFile: string;
  /** Provider → what `models.json` says about its key. */
  readonly declared: ReadonlyMap<string, DeclaredKey>;
  /** Provider → where people log in with it. */
  readonly logins: ReadonlyMap<string, OAuthServer>;
  /** Hears of each renewal of a login when it begins; `stored` resolves once what the server gave out is stored. */
  readonly onRenewal: (stored: Promise<void>) => void;
}

/** The keys of a run: those of `auth.json` first, then `models.json`, then the environment. */
export interface Keys {
  /** Why `auth.json` is not used; it stops nothing that needs no stored key (fault kind CL-17). */
  readonly notice: string | undefined;
  /** Names of the variables that hold keys. */
  readonly variables: readonly string[];
  /** Whether a key is known or none is needed; nothing is run or asked to find out. */
  has(provider: string): boolean;
  /** The key of a provider; undefined = none. Throws `CliError` `no_key` for a variable that is not set. */
  keyFor(provider: string): Promise<string | undefined>;
}

/** Reads which keys are stored; no key itself. */
export async function loadKeys(options: KeysOptions): Promise<Keys> {
  const { environment, declared, logins, onRenewal } = options;
  const store = new AuthStore({ files: createLocalConfigFiles(), path: options.authFile });
  const { stored, notice, variables } = await storedIn(store);
  const sourceOf = (provider: string): DeclaredKey | undefined =>
    provider === SERVER_PROVIDER ? { kind: "variable", name: CUSTOM_KEY_VARIABLE } : declared.get(provider);
  const renewing = () => onRenewal(store.settled());
  const resolve = createKeyResolver({
    store,
    secrets: { variable: environment.get, command: secretCommand(options) },
    configured: (provider) => textOf(sourceOf(provider), environment.get),
    environment: environment.keyFor,
    hasOwnAddress: (provider) => sourceOf(provider) !== undefined,
    flows: Object.fromEntries(
      [...logins].map(([provider, server]) => [provider, flowOf(provider, { server, renewing })]),
    ),
    now: Date.now,
  });
  const isLoginOnly = (provider: string) =>
    logins.has(provider) &&
    (sourceOf(provider)?.kind ?? "none") === "none" &&
    environment.keyFor(provider) === undefined;
  return {
    notice,
    variables: [
      ...variables,
      ...[...declared.values()].flatMap((source) => (source.kind === "variable" ? [source.name] : [])),
    ],
    has(provider) {
      if (stored.has(provider) || provider === SERVER_PROVIDER) return true;
      const source = sourceOf(provider);
      if (isLoginOnly(provider)) return false;
      if (source === undefined) return environment.keyFor(provider) !== undefined;
      return source.kind !== "variable" || environment.get(source.name) !== undefined;
    },
    async keyFor(provider) {
      const source = sourceOf(provider);
      if (!stored.has(provider) && provider !== SERVER_PROVIDER)
        requireVariable(provider, source, environment);
      if (!stored.has(provider) && isLoginOnly(provider)) throw notLoggedIn(provider);
      // Without a file that can be read there is no login, and the environment still has its say.
      if (notice !== undefined && source === undefined) return environment.keyFor(provider);
      return (await resolve(provider).catch((error) => asProviderError(error, provider)))?.key;
    },
  };
}

/** Providers with a stored key, and the variables that such keys name. */
async function storedIn(store: AuthStore) {
  try {
    const providers = (await store.list()).map(({ provider }) => provider);
    const credentials = await Promise.all(providers.map((provider) => store.get(provider)));
    const texts = credentials.map((credential) => (credential?.type === "api_key" ? credential.key : ""));
    return { stored: new Set(providers), notice: undefined, variables: texts.flatMap(variableIn) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { stored: new Set<string>(), notice: reason, variables: [] };
  }
}

function variableIn(text: string): readonly string[] {
  const match = /^\$(?:\{(\w+)\}|(\w+))$/.exec(text);
  return [match?.[1] ?? match?.[2] ?? []].flat();
}

/** What `createKeyResolver` takes for a text of the models file. A key that may be absent is none. */
function textOf(source: DeclaredKey | undefined, get: CliEnvironment["get"]): string | undefined {
  if (source === undefined || source.kind === "none") return undefined;
  if (source.kind === "literal") return source.key;
  return get(source.name) === undefined ? undefined : `\${${source.name}}`;
}

/** Commands that print a key run in the user's own folder: a project must not lay one under their name. */
function secretCommand({ environment, userDirectory }: KeysOptions) {
  return (command: string) => {
    const { shell } = createLocalEnvironment({ environmentVariables: environment.forCommands() });
    return shellSecrets({ shell, cwd: userDirectory })(command);
  };
}

/** A key that cannot be had is the provider's refusal, told as one: with its exit code and what to do. */
function asProviderError(error: unknown, provider: string): never {
  if (!isCoppiceError(error) || error.code !== "invalid_key") throw error;
  const { message, data } = error;
  const isRefusal = data.reason !== undefined || data.status !== undefined;
  throw new ProviderError({
    ...{ code: "auth", message, cause: error },
    ...(isRefusal ? { advice: renewalAdvice(provider, data.reason === "invalid_grant") } : {}),
  });
}

function renewalAdvice(provider: string, isOver: boolean): string {
  const login = `\`coppice auth login ${provider}\``;
  return isOver ? `${login} does that.` : `Try ${login}, or check \`oauth\` of ${provider} in models.json.`;
}

/** Made when it is needed: an address that is not safe concerns its provider only. */
function flowOf(
  provider: string,
  { server, renewing }: { readonly server: OAuthServer; readonly renewing: () => void },
): OAuthFlow {
  const { tokenUrl, clientId } = server;
  return {
    refresh(credential, signal) {
      const flow = createTokenFlow({ provider, tokenUrl, clientId, fetch, now: Date.now });
      renewing();
      return flow.refresh(credential, signal);
    },
  };
}

function notLoggedIn(provider: string): CliError {
  return new CliError("no_key", `Nobody is logged in to ${provider}`, {
    advice: `\`coppice auth login ${provider}\` does that.`,
  });
}

function requireVariable(
  provider: string,
  source: DeclaredKey | undefined,
  { get }: Pick<CliEnvironment, "get">,
): void {
  if (source?.kind !== "variable" || get(source.name) !== undefined) return;
  throw new CliError(
    "no_key",
    `models.json takes the key of ${provider} from $${source.name}, which is not set`,
    { advice: `Set ${source.name} in the environment.` },
  );
}
