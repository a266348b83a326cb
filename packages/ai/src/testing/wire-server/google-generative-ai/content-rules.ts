import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import { isBase64 } from "../valid-text.ts";
import { contentsOf, DATA_FIELDS, partsOf, roleOf } from "./parts.ts";

/** The first content or part that the API would refuse for what it holds. */
export function contentProblem(body: JsonObject): string | undefined {
  const system = isJsonObject(body.systemInstruction) ? body.systemInstruction : undefined;
  return (
    contentsOf(body)
      .map((content, index) => turnProblem(content, `contents[${index}]`))
      .find((problem) => problem !== undefined) ??
    (system === undefined ? undefined : turnProblem(system, "system_instruction"))
  );
}

function turnProblem(content: JsonObject, place: string): string | undefined {
  const parts = partsOf(content);
  if (parts.length === 0)
    return `* GenerateContentRequest.${place}.parts: contents.parts must not be empty.\n`;
  for (const [index, part] of parts.entries()) {
    const problem = partProblem(part, `${place}.parts[${index}]`, roleOf(content));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function partProblem(part: JsonObject, place: string, role: string): string | undefined {
  const [field, second] = DATA_FIELDS.filter((each) => part[each] !== undefined);
  if (field === undefined)
    return `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field\n`;
  if (second !== undefined)
    return `Invalid value at '${place}' (oneof), oneof field 'data' is already set. Cannot set '${second}'`;
  // The API itself sends empty text under a signature and takes it back.
  if (part.text === "" && part.thoughtSignature === undefined)
    return `Unable to submit request because it must have a text parameter. Add a text parameter and try again. (${place})`;
  const owner = field === "functionCall" ? "model" : field === "functionResponse" ? "user" : role;
  if (owner !== role) return `${place}: a ${field} part is not allowed in a turn of role ${role}.`;
  const images = [
    part,
    ...jsonObjects(isJsonObject(part.functionResponse) ? part.functionResponse.parts : []),
  ];
  return images.map((each) => imageProblem(each, place)).find((problem) => problem !== undefined);
}

/** https://ai.google.dev/gemini-api/docs/image-understanding (2026-11), and what else goes inline. */
const MIME_TYPE = /^(?:image\/(?:png|jpeg|webp|heic|heif)|audio\/|video\/|text\/|application\/(?:pdf|json))/;

function imageProblem(part: JsonObject, place: string): string | undefined {
  if (!isJsonObject(part.inlineData)) return undefined;
  const { mimeType, data } = part.inlineData;
  if (!MIME_TYPE.test(String(mimeType))) return `Unsupported MIME type: ${mimeType}`;
  return isBase64(String(data))
    ? undefined
    : `Invalid value at '${place}.inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${String(data).slice(0, 20)}"`;
}
