import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";

/** One turn of `contents`; a role that is left out counts as the user's. */
export const contentsOf = (body: JsonObject): readonly JsonObject[] => jsonObjects(body.contents);

export const partsOf = (content: JsonObject | undefined): readonly JsonObject[] =>
  jsonObjects(content?.parts);

export const roleOf = (content: JsonObject | undefined): string => String(content?.role ?? "user");

/** The parts of a turn that hold a call, or an answer to one. */
export function dataOf(
  content: JsonObject | undefined,
  key: "functionCall" | "functionResponse",
): readonly JsonObject[] {
  return partsOf(content).flatMap((part) => (isJsonObject(part[key]) ? [part[key]] : []));
}

/** What of a part holds its content; exactly one of these is set. */
export const DATA_FIELDS = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
] as const;
