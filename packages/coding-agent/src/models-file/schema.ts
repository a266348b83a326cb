import { type Static, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const price = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }));
const address = (description: string) => Type.Optional(Type.String({ pattern: "^https?://", description }));
const headers = Type.Optional(
  Type.Record(Type.String(), Type.String({ minLength: 1 }), { description: "Sent with every request." }),
);
const quirks = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: "How the server differs from its format." }),
);

const prices = {
  input: price("USD per million input tokens."),
  output: price("USD per million output tokens."),
  cacheRead: price("USD per million tokens read from the cache."),
  cacheWrite: price("USD per million tokens written to the cache."),
};

const cost = Type.Object(
  {
    ...prices,
    tiers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...prices,
            inputTokensAbove: Type.Integer({
              minimum: 1,
              description: "A request with a longer prompt has these prices.",
            }),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);

const imageLimits = Type.Object(
  {
    mimeTypes: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: "Such as image/png." }),
    ),
    maxSidePx: count("Pixels of the longer side; larger images are made smaller."),
    maxBase64Bytes: count("Bytes of one image as base64."),
    maxImages: count("Images of one request; older ones are left out."),
    maxTotalBase64Bytes: count("Bytes of all images of a request as base64."),
  },
  { ...closed, description: "What the model takes of images; default: what its format does." },
);

const modelFields = {
  name: text("What people read."),
  api: text("Wire format, such as openai-completions."),
  baseUrl: address("Address of this model's server."),
  reasoning: flag("The model can think."),
  input: Type.Optional(Type.Array(Type.Union([Type.Literal("text"), Type.Literal("image")]))),
  images: flag('Short for "input": ["text", "image"].'),
  imageLimits: Type.Optional(imageLimits),
  contextWindow: count("Tokens."),
  maxTokens: count("Tokens of the longest answer."),
  cost: Type.Optional(cost),
  thinkingLevels: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String({ minLength: 1 }), Type.Null()]), {
      description: "Level → the server's word; null = not supported.",
    }),
  ),
  headers,
  quirks,
};

const overrideSchema = Type.Object(modelFields, closed);
const modelSchema = Type.Object({ id: Type.String({ minLength: 1 }), ...modelFields }, closed);

const oauth = Type.Object(
  {
    clientId: Type.String({ minLength: 1, description: "What the provider knows this program as." }),
    tokenUrl: Type.String({
      pattern: "^https?://",
      description: "Where codes and old tokens are exchanged.",
    }),
    authorizationUrl: address("For signing in with a browser on this machine."),
    deviceUrl: address("For signing in with a code, in a browser anywhere."),
    scope: text("What is asked for, with blanks between."),
    issuer: text("What the server must call itself in its answer to the browser."),
    redirectUrl: address("Where the browser comes back to, if the server knows one place only."),
  },
  { ...closed, description: "People log in with the provider (OAuth 2.0) instead of storing a key." },
);

const providerSchema = Type.Object(
  {
    baseUrl: address("Address of the server; a provider that is known may go without."),
    api: text("Wire format of its models."),
    apiKey: text("The key, or $NAME of a variable that holds it."),
    oauth: Type.Optional(oauth),
    headers,
    quirks,
    models: Type.Optional(Type.Array(modelSchema)),
    modelOverrides: Type.Optional(
      Type.Record(Type.String(), overrideSchema, { description: "Changes to models that are known, by id." }),
    ),
  },
  closed,
);

/** `models.json` as users write it; the descriptions are for editors. */
export const ModelsFileSchema = Type.Object(
  {
    $schema: text("Address of this schema, for editors."),
    providers: Type.Optional(Type.Record(Type.String(), providerSchema)),
  },
  { title: "Coppice models", ...closed },
);

/** What stands in the file. */
export type ModelsFileContent = Static<typeof ModelsFileSchema>;

/** Names that are known at each place of the file. */
export const KNOWN_FIELDS = {
  file: Object.keys(ModelsFileSchema.properties),
  provider: Object.keys(providerSchema.properties),
  oauth: Object.keys(oauth.properties),
  model: Object.keys(modelSchema.properties),
  override: Object.keys(overrideSchema.properties),
  cost: Object.keys(cost.properties),
  tier: [...Object.keys(prices), "inputTokensAbove"],
  imageLimits: Object.keys(imageLimits.properties),
} as const;

/** The JSON Schema of `models.json`, as editors want it. */
export function modelsJsonSchema(): Readonly<Record<string, unknown>> {
  const plain = JSON.parse(JSON.stringify(ModelsFileSchema)) as Record<string, unknown>;
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...plain };
}
