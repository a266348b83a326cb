import {
  anything,
  flag,
  isJsonObject,
  jsonObject,
  listOf,
  number,
  oneOf,
  record,
  type Shape,
  text,
} from "../json-shape.ts";

/**
 * Body of `generateContent`, from https://ai.google.dev/api/generate-content and /api/caching (2026-11). The real API
 * takes snake_case names too; a client that mixes both is more likely wrong than clever, so they are unknown here.
 */

/** Standard or URL-safe base64: how JSON carries bytes. */
const bytes = text({ pattern: /^[A-Za-z0-9+/_-]+={0,2}$/ });
const functionName = text({ pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/ });
const inlineData = record({ mimeType: text(), data: bytes }, { displayName: text() });

const part: Shape = record(
  {},
  {
    text: text(),
    inlineData,
    fileData: record({ fileUri: text() }, { mimeType: text() }),
    functionCall: record({ name: text({ pattern: /./ }) }, { id: text(), args: jsonObject }),
    functionResponse: record(
      { name: text({ pattern: /./ }), response: jsonObject },
      {
        id: text(),
        willContinue: flag,
        scheduling: text(),
        parts: listOf(record({}, { inlineData })),
      },
    ),
    executableCode: jsonObject,
    codeExecutionResult: jsonObject,
    thought: flag,
    thoughtSignature: bytes,
    videoMetadata: jsonObject,
    mediaResolution: jsonObject,
    partMetadata: jsonObject,
  },
);
const content = (role: Shape) => record({}, { role, parts: listOf(part) });

const typeName = oneOf(
  ...["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]),
);

/** A schema holds schemas, so the record is reached through a function. */
const schema: Shape = (value, path) => schemaRecord(value, path);
const mapOf =
  (item: Shape): Shape =>
  (value, path) => {
    if (!isJsonObject(value)) return jsonObject(value, path);
    for (const [key, each] of Object.entries(value)) {
      const issue = item(each, [...path, key]);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
const schemaRecord = record(
  {},
  {
    type: typeName,
    format: text(),
    title: text(),
    description: text(),
    nullable: flag,
    enum: listOf(text()),
    maxItems: anything,
    minItems: anything,
    properties: mapOf(schema),
    required: listOf(text()),
    minProperties: anything,
    maxProperties: anything,
    minLength: anything,
    maxLength: anything,
    pattern: text(),
    example: anything,
    anyOf: listOf(schema),
    propertyOrdering: listOf(text()),
    default: anything,
    items: schema,
    minimum: number(),
    maximum: number(),
  },
);

const declaration = record(
  { name: functionName },
  {
    description: text(),
    parameters: schema,
    parametersJsonSchema: jsonObject,
    response: schema,
    responseJsonSchema: jsonObject,
    behavior: text(),
  },
);
const tool = record(
  {},
  {
    functionDeclarations: listOf(declaration),
    googleSearch: jsonObject,
    codeExecution: jsonObject,
    urlContext: jsonObject,
    googleMaps: jsonObject,
    fileSearch: jsonObject,
    computerUse: jsonObject,
  },
);

const thinkingConfig = record(
  {},
  {
    includeThoughts: flag,
    thinkingBudget: number({ integer: true, min: -1 }),
    thinkingLevel: oneOf(
      ...["MINIMAL", "LOW", "MEDIUM", "HIGH"].flatMap((name) => [name, name.toLowerCase()]),
    ),
  },
);
const generationConfig = record(
  {},
  {
    stopSequences: listOf(text()),
    responseMimeType: text(),
    responseSchema: schema,
    responseJsonSchema: jsonObject,
    responseModalities: listOf(text()),
    candidateCount: number({ integer: true, min: 1 }),
    maxOutputTokens: number({ integer: true }),
    temperature: number({ min: 0, max: 2 }),
    topP: number({ min: 0, max: 1 }),
    topK: number({ integer: true, min: 1 }),
    seed: number({ integer: true }),
    presencePenalty: number(),
    frequencyPenalty: number(),
    responseLogprobs: flag,
    logprobs: number({ integer: true }),
    thinkingConfig,
    mediaResolution: text(),
  },
);

const fields: Record<string, Shape> = {
  systemInstruction: content(text()),
  tools: listOf(tool),
  toolConfig: record(
    {},
    {
      functionCallingConfig: record(
        {},
        {
          mode: oneOf("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"),
          allowedFunctionNames: listOf(text()),
        },
      ),
      retrievalConfig: jsonObject,
    },
  ),
  safetySettings: listOf(jsonObject),
  generationConfig,
  cachedContent: text(),
  serviceTier: text(),
};

/** The shape of a body; `extraFields` are top-level fields that a server accepts beyond the official ones. */
export function requestShape(extraFields: readonly string[]): Shape {
  const extra = Object.fromEntries(extraFields.map((field) => [field, anything]));
  return record(
    { contents: listOf(content(oneOf("user", "model")), { minLength: 1 }) },
    { ...fields, ...extra },
  );
}
