import { isJsonObject, type JsonObject, jsonObjects, type ShapePath } from "../json-shape.ts";
import type { WireLimits } from "../wire-format.ts";
import { placeOf } from "./describe-issue.ts";

/** The first option that the API would refuse: sizes, thinking, tools and their schemas. */
export function optionProblem(body: JsonObject, limits: WireLimits): string | undefined {
  return generationProblem(body, limits) ?? toolProblem(body) ?? toolConfigProblem(body);
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

function generationProblem(body: JsonObject, limits: WireLimits): string | undefined {
  const config = objectOf(body.generationConfig);
  const asked = config.maxOutputTokens;
  if (typeof asked === "number" && (asked < 1 || asked > limits.maxOutputTokens))
    return `Unable to submit request because it has a maxOutputTokens value of ${asked} but the supported range is from 1 (inclusive) to ${limits.maxOutputTokens + 1} (exclusive). Update the value and try again.`;
  const thinking = objectOf(config.thinkingConfig);
  if (thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined)
    return "You can only set only one of thinking budget and thinking level.";
  return undefined;
}

const declarationsOf = (body: JsonObject) =>
  jsonObjects(body.tools).flatMap((tool, toolIndex) =>
    jsonObjects(tool.functionDeclarations).map((declaration, index) => ({
      declaration,
      path: ["tools", toolIndex, "functionDeclarations", index] as ShapePath,
    })),
  );

function toolProblem(body: JsonObject): string | undefined {
  const names = new Set<unknown>();
  for (const { declaration, path } of declarationsOf(body)) {
    const { name, parameters } = declaration;
    if (names.has(name)) return `Duplicate function declaration found: ${name}`;
    names.add(name);
    if (parameters !== undefined && declaration.parametersJsonSchema !== undefined)
      return `* GenerateContentRequest.${placeOf(path)}: only one of parameters and parameters_json_schema may be set.\n`;
    const problem =
      parameters === undefined ? undefined : schemaProblem(objectOf(parameters), [...path, "parameters"]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What the API checks in a schema beyond the names of its keywords. */
function schemaProblem(schema: JsonObject, path: ShapePath): string | undefined {
  const rule = (key: string, text: string) =>
    `* GenerateContentRequest.${placeOf([...path, key])}: ${text}\n`;
  const type = String(schema.type ?? "").toUpperCase();
  const properties = objectOf(schema.properties);
  if (type === "" && schema.anyOf === undefined)
    return rule("type", "must be specified when not using one_of, any_of or all_of fields");
  if (Array.isArray(schema.enum) && type !== "STRING") return rule("enum", "only allowed for STRING type");
  if (type === "ARRAY" && schema.items === undefined) return rule("items", "missing field.");
  if (type === "OBJECT" && schema.properties !== undefined && Object.keys(properties).length === 0)
    return rule("properties", "should be non-empty for OBJECT type");
  for (const [index, name] of (Array.isArray(schema.required) ? schema.required : []).entries()) {
    if (!Object.hasOwn(properties, String(name)))
      return rule(`required[${index}]`, "property is not defined");
  }
  const inner: readonly (readonly [ShapePath, JsonObject])[] = [
    ...Object.entries(properties).map(
      ([name, each]) => [[...path, "properties", name], objectOf(each)] as const,
    ),
    ...(isJsonObject(schema.items) ? [[[...path, "items"], schema.items] as const] : []),
    ...jsonObjects(schema.anyOf).map((each, index) => [[...path, "anyOf", index], each] as const),
  ];
  return inner.map(([place, each]) => schemaProblem(each, place)).find((problem) => problem !== undefined);
}

function toolConfigProblem(body: JsonObject): string | undefined {
  const { mode, allowedFunctionNames } = objectOf(objectOf(body.toolConfig).functionCallingConfig);
  const names = declarationsOf(body).map(({ declaration }) => declaration.name);
  if (mode === "ANY" && names.length === 0)
    return "Function calling config is set without function_declarations.";
  if (!Array.isArray(allowedFunctionNames)) return undefined;
  if (mode !== "ANY" && mode !== "VALIDATED")
    return "allowed_function_names is only allowed when mode is ANY or VALIDATED.";
  const unknown = allowedFunctionNames.find((name) => !names.includes(name));
  return unknown === undefined
    ? undefined
    : `allowed_function_names contains a function that is not declared: ${unknown}`;
}
