import {
  type ImageLimits,
  type InputKind,
  type Model,
  type ModelCost,
  type Prices,
  type UserModel,
  type UserProvider,
  vendors,
} from "@coppice/ai";
import { loginWays, type OAuthServer } from "../auth/oauth-server.ts";
import { ConfigPlace, type GuessName } from "../config/config-place.ts";
import { KNOWN_FIELDS } from "./schema.ts";

/** How the key of a declared provider is found: not at all, in the file, or in a variable. */
export type DeclaredKey =
  | { readonly kind: "none" }
  | { readonly kind: "literal"; readonly key: string }
  | { readonly kind: "variable"; readonly name: string };

/** What `models.json` declares. */
export interface ModelsFile {
  readonly providers: Readonly<Record<string, UserProvider>>;
  /** Provider → where its key comes from, for those with an address or a key of their own. */
  readonly keys: ReadonlyMap<string, DeclaredKey>;
  /** Provider → where people log in with it, for those that say so. */
  readonly logins: ReadonlyMap<string, OAuthServer>;
  /** What stands in the file without effect, one line each. */
  readonly notices: readonly string[];
}

export interface ParseModelsFileOptions {
  /** Named in errors and notices. */
  readonly path: string;
  /** Tells what was meant by a name that is not known; default: all that are known are listed. */
  readonly guessName?: GuessName;
}

/**
 * Understands the text of a `models.json`: `{"providers": {NAME: {baseUrl, api?, apiKey?, headers?, models: [{id, …}]}}}`.
 *
 * `providers` is what `createModelRegistry` takes. A built-in provider may go without `baseUrl`. A field that is not known
 * is a notice: the file may be written for a newer version. Pure. Throws `invalid_setting`.
 */
export function parseModelsFile(text: string, { path, guessName }: ParseModelsFileOptions): ModelsFile {
  const providers: Record<string, UserProvider> = {};
  const keys = new Map<string, DeclaredKey>();
  const logins = new Map<string, OAuthServer>();
  const file = ConfigPlace.parse(text, path);
  const notices = [...file.unknownFields(KNOWN_FIELDS.file, guessName)];
  for (const [name, place] of file.field("providers").entries()) {
    providers[name] = readProvider(place, Object.hasOwn(vendors, name));
    const apiKey = place.field("apiKey").text();
    // An address of its own must not be sent the vendor's key from the environment (fault B253).
    if (apiKey !== undefined || !place.field("baseUrl").isMissing) keys.set(name, keySource(apiKey));
    const oauth = readLogin(place.field("oauth"));
    if (oauth !== undefined) logins.set(name, oauth);
    notices.push(...unknownFieldsOf(place, guessName));
  }
  return { providers, keys, logins, notices };
}

/** A misspelt field would otherwise be found only by what it does not do. */
function unknownFieldsOf(provider: ConfigPlace, guess: GuessName | undefined): readonly string[] {
  const overrides = provider
    .field("modelOverrides")
    .entries()
    .map(([, model]) => model);
  const models = provider.field("models").items();
  return [
    ...provider.unknownFields(KNOWN_FIELDS.provider, guess),
    ...provider.field("oauth").unknownFields(KNOWN_FIELDS.oauth, guess),
    ...models.flatMap((model) => model.unknownFields(KNOWN_FIELDS.model, guess)),
    ...overrides.flatMap((model) => model.unknownFields(KNOWN_FIELDS.override, guess)),
    ...[...models, ...overrides].flatMap((model) => {
      const cost = model.field("cost");
      const tiers = cost.field("tiers").items();
      return [
        ...model.field("imageLimits").unknownFields(KNOWN_FIELDS.imageLimits, guess),
        ...cost.unknownFields(KNOWN_FIELDS.cost, guess),
        ...tiers.flatMap((tier) => tier.unknownFields(KNOWN_FIELDS.tier, guess)),
      ];
    }),
  ];
}

/** `$NAME` and `${NAME}` name a variable; anything else is the key itself. */
function keySource(value: string | undefined): DeclaredKey {
  if (value === undefined) return { kind: "none" };
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value);
  const name = variable?.[1] ?? variable?.[2];
  return name === undefined ? { kind: "literal", key: value } : { kind: "variable", name };
}

function readProvider(place: ConfigPlace, isBuiltIn: boolean): UserProvider {
  const baseUrl = place.field("baseUrl");
  const overrides = place.field("modelOverrides");
  return given<UserProvider>({
    baseUrl: isBuiltIn ? baseUrl.url() : baseUrl.requiredUrl(),
    api: place.field("api").text(),
    headers: place.field("headers").texts(),
    quirks: place.field("quirks").record(),
    models: place
      .field("models")
      .items()
      .map((model): UserModel => ({ id: model.field("id").requiredText(), ...readModel(model) })),
    modelOverrides: overrides.isMissing
      ? undefined
      : Object.fromEntries(overrides.entries().map(([id, model]) => [id, readModel(model)])),
  });
}

function readLogin(place: ConfigPlace): OAuthServer | undefined {
  if (place.isMissing) return undefined;
  const server = given<OAuthServer>({
    clientId: place.field("clientId").requiredText(),
    tokenUrl: place.field("tokenUrl").requiredUrl(),
    authorizationUrl: place.field("authorizationUrl").url(),
    deviceUrl: place.field("deviceUrl").url(),
    scope: place.field("scope").text(),
    issuer: place.field("issuer").text(),
    redirectUrl: place.field("redirectUrl").url(),
  });
  // One of the two is needed, and the first is the usual one.
  if (loginWays(server).length === 0) place.field("authorizationUrl").requiredUrl();
  return server;
}

function readModel(place: ConfigPlace): Partial<Omit<Model, "id" | "provider">> {
  const cost = place.field("cost");
  return given<Partial<Omit<Model, "id" | "provider">>>({
    name: place.field("name").text(),
    api: place.field("api").text(),
    baseUrl: place.field("baseUrl").url(),
    reasoning: place.field("reasoning").flag(),
    input: readInput(place),
    contextWindow: place.field("contextWindow").tokens(),
    maxTokens: place.field("maxTokens").tokens(),
    headers: place.field("headers").texts(),
    quirks: place.field("quirks").record(),
    thinkingLevels: readThinkingLevels(place.field("thinkingLevels")),
    imageLimits: readImageLimits(place.field("imageLimits")),
    cost: cost.isMissing ? undefined : readCost(cost),
  });
}

function readCost(place: ConfigPlace): ModelCost {
  const tiers = place
    .field("tiers")
    .items()
    .map((tier) => ({
      ...readPrices(tier),
      inputTokensAbove: tier.field("inputTokensAbove").requiredTokens(),
    }));
  return { ...readPrices(place), ...(tiers.length === 0 ? {} : { tiers }) };
}

function readPrices(place: ConfigPlace): Prices {
  return {
    input: place.field("input").price() ?? 0,
    output: place.field("output").price() ?? 0,
    cacheRead: place.field("cacheRead").price() ?? 0,
    cacheWrite: place.field("cacheWrite").price() ?? 0,
  };
}

/** `images: true` says in short what `input` spells out; `input` wins. */
function readInput(place: ConfigPlace): readonly InputKind[] | undefined {
  const input = place.field("input");
  if (!input.isMissing) return input.items().map((kind) => kind.oneOf(["text", "image"]));
  const images = place.field("images").flag();
  if (images === undefined) return undefined;
  return images ? ["text", "image"] : ["text"];
}

function readImageLimits(place: ConfigPlace): ImageLimits | undefined {
  if (place.isMissing) return undefined;
  const mimeTypes = place.field("mimeTypes");
  return given<ImageLimits>({
    mimeTypes: mimeTypes.isMissing ? undefined : mimeTypes.items().map((type) => type.requiredText()),
    maxSidePx: place.field("maxSidePx").count(),
    maxBase64Bytes: place.field("maxBase64Bytes").count(),
    maxImages: place.field("maxImages").count(),
    maxTotalBase64Bytes: place.field("maxTotalBase64Bytes").count(),
  });
}

/** Level → the server's own word; null = the level is not supported. */
function readThinkingLevels(place: ConfigPlace): Model["thinkingLevels"] {
  if (place.isMissing) return undefined;
  return Object.fromEntries(place.entries().map(([level, word]) => [level, word.textOrNull()]));
}

/** The fields that are not undefined. */
function given<Fields extends object>(
  fields: { readonly [Name in keyof Fields]: Fields[Name] | undefined },
): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
